package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.testkit.proxy.HoldingProxy;
import io.sluice.testkit.rabbitmq.RabbitMqOptions;
import io.sluice.testkit.rabbitmq.RabbitMqServer;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Asks a real broker. A virtual host of its own takes the place of a node that is cut off: what is declared there is not known to the connection that
 * is asked.
 */
@Timeout(300)
class QueueLookupIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ASKED_OFTEN_ENOUGH = 2;

    private static RabbitMqServer server;

    private final HandTime time = new HandTime();
    private final List<String> unanswered = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void startBroker() {
        server = RabbitMqServer.start(RabbitMqOptions.defaults()
                .with(new RabbitMqOptions.User("apart", "p", "apart", ".*", ".*", ""))
                .with(new RabbitMqOptions.User("limited", "p", "/", ".*", ".*", "")));
    }

    @AfterAll
    static void stopBroker() {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : opened) {
            each.close();
        }
    }

    private static Address address(String user, String password, String virtualHost) {
        return new Address("127.0.0.1", server.port(), false, user, password, virtualHost);
    }

    private static Address here() {
        return address("guest", "guest", "/");
    }

    private static Address joined() {
        return new Address("localhost", server.port(), false, "guest", "guest", "/");
    }

    private static Address cutOff() {
        return address("apart", "p", "apart");
    }

    private static RabbitSettings settings(String exchange, Address... addresses) {
        Duration tenSeconds = Duration.ofSeconds(10);
        return new RabbitSettings(
                List.of(addresses),
                new TlsOptions(null, null, false),
                new Topology(exchange, "", "", ""),
                true,
                1,
                100,
                1_000_000,
                true,
                "",
                tenSeconds,
                tenSeconds,
                tenSeconds,
                Duration.ofSeconds(30));
    }

    /** A connection whose test can do something before each question. */
    private class Questioned implements QueueLookup.Asked {
        private final Connection connection;
        private final @Nullable Address node;
        private final AtomicInteger questions = new AtomicInteger();

        Questioned(Connection connection, @Nullable Address node) {
            this.connection = connection;
            this.node = node;
            opened.add(connection::abort);
        }

        void beforeQuestion(int number) {}

        @Override
        public Connection connection() {
            beforeQuestion(questions.incrementAndGet());
            return connection;
        }

        @Override
        public @Nullable Address node() {
            return node;
        }

        /** Called again and again while it is. */
        @Override
        public boolean isBlocked() {
            return false;
        }

        @Override
        public void unanswered(String why, boolean isNodeLeft) {
            unanswered.add(why + (isNodeLeft ? ", leaving the node" : ""));
        }
    }

    private QueueLookup lookup(RabbitSettings settings, QueueLookup.Asked asked) {
        QueueLookup made = new QueueLookup(settings, asked, time);
        opened.add(made::close);
        return made;
    }

    private static String reason(QueueLookup lookup) {
        return lookup.unreachable(Set.of("topic")).getOrDefault("topic", "");
    }

    /** As a node does that is stopped, or that the others stop when they see it again. */
    @Test
    void aConnectionThatIsClosedDuringTheQuestionsProvesNothing() {
        Connection connection = server.connect();
        QueueLookup lookup = lookup(settings("changes", here(), cutOff()), new Questioned(connection, here()) {
            @Override
            void beforeQuestion(int number) {
                if (number == ASKED_OFTEN_ENOUGH) {
                    server.control("close_all_connections", "--vhost", "/", "for a test");
                    Awaitility.await().atMost(TIMEOUT).until(() -> !connection.isOpen());
                }
            }
        });

        assertThat(reason(lookup)).contains("for a test");
    }

    /** The nodes are up, and refuse to be asked, so the connection is not asked either. */
    @Test
    void aConnectionThatIsClosedAfterTheLastNodeWasAskedProvesNothing() {
        Connection connection = server.connect();
        server.control("set_user_limits", "limited", "{\"max-connections\": 0}");
        AtomicBoolean ends = new AtomicBoolean();
        QueueLookup lookup =
                lookup(settings("changes", here(), address("limited", "p", "/")), new Questioned(connection, here()) {
                    @Override
                    void beforeQuestion(int number) {
                        if (ends.get()) {
                            connection.abort();
                        }
                    }
                });
        assertThat(reason(lookup)).isEmpty();
        ends.set(true);

        assertThat(reason(lookup)).isEqualTo("the connection is lost");
    }

    /** It would be waited for without end otherwise. */
    @Test
    void aNodeThatRefusesTheQuestionIsNamedWithTheRemedy() {
        Questioned asked = new Questioned(server.connect(), here());

        assertThat(reason(lookup(settings("changes", here(), address("guest", "wrong", "/")), asked)))
                .contains("is up, but refuses", "rabbitmq.username, rabbitmq.password")
                .doesNotContain("does not answer");
        assertThat(reason(lookup(settings("changes", here(), address("guest", "guest", "absent")), asked)))
                .contains("is up, but refuses", "rabbitmq.virtual.host")
                .doesNotContain("does not answer");
    }

    /** As a steady flow of rows of a table without a queue would make them. */
    @Test
    void questionsDoNotOpenMoreAndMoreConnections() {
        Questioned asked = new Questioned(server.connect(), here());
        QueueLookup lookup = lookup(settings("changes", here(), joined()), asked);
        assertThat(reason(lookup)).isEmpty();
        Awaitility.await()
                .atMost(TIMEOUT)
                .until(() -> questionConnections().lines().count() == 1);
        String connections = questionConnections();
        assertThat(reason(lookup)).isEmpty();
        lookup.closeIdle();
        assertThat(questionConnections()).isEqualTo(connections);
        assertThat(server.control("list_queues", "--quiet", "name")).doesNotContain(Fence.PREFIX);

        time.passSeconds(11);
        lookup.closeIdle();
        assertThat(lookup.keepsConnections()).isFalse();
        Awaitility.await().atMost(TIMEOUT).until(() -> questionConnections().isEmpty());
        assertThat(reason(lookup)).isEmpty();
        lookup.close();
        Awaitility.await().atMost(TIMEOUT).until(() -> questionConnections().isEmpty());
        assertThat(reason(lookup)).contains("closed");
    }

    private static String questionConnections() {
        return server.control("list_connections", "--quiet", "pid", "client_properties")
                .lines()
                .filter(line -> line.contains("sluice-question"))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void theNodeOfTheConnectionIsNotAskedByAnother() {
        Address elsewhere = cutOff(); // it would be found if it was asked
        Questioned asked = new Questioned(server.connect(), elsewhere);

        assertThat(reason(lookup(settings("changes", elsewhere, joined()), asked)))
                .isEmpty();
    }

    @Test
    void aConnectionWithoutAnotherChannelProvesNothing() throws Exception {
        ConnectionFactory factory = settings("changes", here()).factory(here(), socket -> {});
        factory.setRequestedChannelMax(1);
        Connection connection = factory.newConnection("full");
        assertThat(connection.createChannel()).isNotNull();
        QueueLookup lookup = lookup(settings("changes", here(), joined()), new Questioned(connection, here()));

        assertThat(reason(lookup)).contains("the broker allows no more channels");
        assertThat(unanswered).isEmpty();
    }

    @Test
    void nodesThatKnowEachOthersQueuesAreJoined() {
        Questioned asked = new Questioned(server.connect(), here());

        assertThat(reason(lookup(settings("changes", here(), joined()), asked))).isEmpty();
        assertThat(reason(lookup(settings("changes", here(), cutOff()), asked)))
                .contains("127.0.0.1:%d is up, but what is declared there is not known".formatted(server.port()));
    }

    /** Such as CloudAMQP's AMQProxy, which states its own name and passes on what RabbitMQ answers. */
    @Test
    void aQueueThatCannotBeUsedIsNoMissingOneBehindAProxyWithANameOfItsOwn() throws Exception {
        int port = server.port();
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of("RabbitMQ", "AMQProxy"))) {
            Address address = new Address("127.0.0.1", proxy.port(), false, "apart", "p", "apart");
            RabbitSettings settings = settings("", address);
            Connection connection = settings.factory(address, socket -> {}).newConnection("proxied");
            connection.createChannel().queueDeclare("topic", true, false, false, Map.of());
            stopProcessOf("topic");
            QueueLookup lookup = lookup(settings, new Questioned(connection, address));

            assertThat(reason(lookup))
                    .contains("queue topic exists, start its node", "process is stopped by supervisor");
            assertThat(lookup.unreachable(Set.of("absent"))).isEmpty();
            String longest = "t".repeat(200); // which leaves no room for these words
            connection.createChannel().queueDeclare(longest, true, false, false, Map.of());
            stopProcessOf(longest);
            assertThat(lookup.unreachable(Set.of(longest)).get(longest))
                    .contains("exists, start its node", "...")
                    .doesNotContain("stopped by supervisor");
            assertThatThrownBy(() -> new Topology("", "topic", "", "").declare(connection))
                    .isInstanceOfSatisfying(
                            SendException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.PASSING));
            assertThat(proxy.reworded()).contains("RabbitMQ");
        }
    }

    /** It would wait in the connection until its timeout, which is shorter than a block may be. */
    @Test
    void aBlockedConnectionIsAskedWhenTheBlockIsOver() {
        AtomicInteger checks = new AtomicInteger();
        Questioned asked = new Questioned(server.connect(), here()) {
            @Override
            public boolean isBlocked() {
                return checks.incrementAndGet() < 150; // of 100 ms each, and the question may take 10 seconds
            }
        };

        assertThat(reason(lookup(settings("", here()), asked))).isEmpty();
        assertThat(unanswered).isEmpty();
        assertThat(checks).hasValueGreaterThanOrEqualTo(150);
    }

    @Test
    void aConnectionThatIsBlockedForTooLongIsGivenUp() {
        Questioned asked = new Questioned(server.connect(), here()) {
            @Override
            public boolean isBlocked() {
                return true;
            }
        };
        long begin = time.nanos();

        assertThat(reason(lookup(settings("", here()), asked))).contains("RabbitMQ blocks publishers");
        assertThat(unanswered).singleElement().asString().contains("RabbitMQ blocks publishers");
        assertThat(Duration.ofNanos(time.nanos() - begin)).isEqualTo(Duration.ofSeconds(30));
    }

    /** The broker reads nothing then, also not what was sent before the client learnt that it is blocked. */
    @Test
    void aConnectionThatIsBlockedDuringAQuestionIsNotGivenUpBeforeTheBlockIsOver() throws Exception {
        int port = server.port();
        List<String> events = new ArrayList<>();
        try (HoldingProxy proxy = new HoldingProxy(() -> port)) {
            Address address = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            RabbitSettings settings = settings("", address);
            Connection connection = settings.factory(address, socket -> {}).newConnection("blocked");
            AtomicInteger checks = new AtomicInteger();
            Questioned asked = new Questioned(connection, address) {
                @Override
                public boolean isBlocked() {
                    int check = checks.incrementAndGet();
                    events.add("blocked " + check);
                    return check > 1 && check < 150;
                }

                @Override
                public void unanswered(String why, boolean isNodeLeft) {
                    events.add("given up");
                    super.unanswered(why, isNodeLeft);
                }
            };
            proxy.hold();

            assertThat(reason(lookup(settings, asked))).contains("whether queue topic exists is not known");
            assertThat(unanswered).singleElement().asString().doesNotContain("leaving the node");
            assertThat(events).endsWith("blocked 150", "given up");
        }
    }

    private static void stopProcessOf(String queue) {
        server.control("eval", """
                {ok, Queue} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"apart">>, queue, <<"%s">>)),
                Process = amqqueue:get_pid(Queue),
                Monitor = erlang:monitor(process, Process),
                rabbit_amqqueue:mark_local_durable_queues_stopped(<<"apart">>),
                exit(Process, shutdown),
                receive {'DOWN', Monitor, _, _, _} -> ok end.
                """.formatted(queue));
    }
}
