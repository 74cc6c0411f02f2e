package io.sluice.connector.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.BrokerAnswer;
import io.sluice.connector.rabbitmq.node.ProbeQueue;
import io.sluice.connector.rabbitmq.send.Fence;
import io.sluice.connector.rabbitmq.settings.Address;
import io.sluice.connector.rabbitmq.settings.RabbitSettings;
import io.sluice.connector.rabbitmq.settings.TlsOptions;
import io.sluice.connector.rabbitmq.settings.Topology;
import io.sluice.connector.rabbitmq.topology.Doubt;
import io.sluice.connector.rabbitmq.topology.Need;
import io.sluice.connector.rabbitmq.topology.OtherNodes;
import io.sluice.connector.rabbitmq.topology.TopologyDeclaration;
import io.sluice.connector.rabbitmq.unroutable.QueueLookup;
import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.testkit.proxy.HoldingProxy;
import io.sluice.testkit.rabbitmq.RabbitMqOptions;
import io.sluice.testkit.rabbitmq.RabbitMqServer;
import io.sluice.testkit.time.HandTime;
import io.sluice.testkit.tls.Certificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks a real broker. A virtual host of its own takes the place of a node that is cut off: what is declared there is not known to the connection that
 * is asked.
 */
@Timeout(600)
class QueueLookupIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int ASKED_OFTEN_ENOUGH = 2;

    @TempDir
    private static Path certificateFolder;

    private static Certificates certificates;
    private static RabbitMqServer server;

    /** Of each exchange. */
    private static final Map<String, BrokerAnswer.Question> PASSIVE = new ConcurrentHashMap<>();

    private final HandTime time = new HandTime();
    private final List<String> left = new ArrayList<>();
    private @Nullable Address leftFor;
    private final List<AutoCloseable> opened = new ArrayList<>();

    @BeforeAll
    static void startBroker() throws Exception {
        certificates = Certificates.make(certificateFolder, "dns:localhost");
        server = RabbitMqServer.start(RabbitMqOptions.defaults()
                .with(new RabbitMqOptions.User("apart", "p", "apart", ".*", ".*", ""))
                .with(new RabbitMqOptions.User("limited", "p", "/", ".*", ".*", ""))
                .with(new RabbitMqOptions.User("writer", "p", "/", "", ".*", ""))
                .with(new RabbitMqOptions.User("stopped", "p", "stopped", ".*", ".*", ""))
                .tls(certificates.certificate(), certificates.key()));
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
        return settings(new Topology(exchange, "", "", ""), addresses);
    }

    private static RabbitSettings settings(Topology topology, Address... addresses) {
        return settings(topology, new TlsOptions(null, null, false), addresses);
    }

    private static RabbitSettings settings(Topology topology, TlsOptions tls, Address... addresses) {
        Duration tenSeconds = Duration.ofSeconds(10);
        return new RabbitSettings(
                List.of(addresses),
                tls,
                topology,
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

        @SuppressWarnings("UnusedVariable") // tests that override it use it
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

        @Override
        public void leaveNode(String why, @Nullable Address next) {
            leftFor = next;
            left.add(why);
        }
    }

    private QueueLookup lookup(RabbitSettings settings, QueueLookup.Asked asked) {
        QueueLookup made = new QueueLookup(settings, asked, time);
        opened.add(made::close);
        return made;
    }

    private static String reason(QueueLookup lookup) {
        return reason(lookup, "topic");
    }

    private static String reason(QueueLookup lookup, String topic) {
        return lookup.unreachable(Set.of(topic)).getOrDefault(topic, "");
    }

    /** As a node does that is stopped, or that the others stop when they see it again. */
    @Test
    void aConnectionThatIsClosedDuringTheQuestionsProvesNothing() {
        Connection connection = server.connect();
        QueueLookup lookup = lookup(settings("changes", here(), cutOff()), new Questioned(connection, here()) {
            @Override
            void beforeQuestion(int number) {
                server.control("close_all_connections", "--vhost", "/", "for a test");
                Awaitility.await().atMost(TIMEOUT).until(() -> !connection.isOpen());
            }
        });

        assertThat(reason(lookup)).contains("the connection is lost");
    }

    @Test
    void aConnectionThatIsClosedAfterTheLastNodeWasAskedProvesNothing() {
        Connection connection = server.connect();
        AtomicInteger untilItEnds = new AtomicInteger(Integer.MAX_VALUE);
        QueueLookup lookup = lookup(settings("changes", here(), joined()), new Questioned(connection, here()) {
            @Override
            void beforeQuestion(int number) {
                if (untilItEnds.decrementAndGet() == 0) {
                    connection.abort();
                }
            }
        });
        assertThat(reason(lookup)).isEmpty();
        untilItEnds.set(ASKED_OFTEN_ENOUGH + 1); // the node is asked over both connections

        assertThat(reason(lookup)).isEqualTo("the connection is lost");
    }

    @Test
    void aQueueThatIsMissingProvesNothingAfterTheConnectionIsLost() {
        Connection connection = server.connect();
        QueueLookup lookup = lookup(settings("", here()), new Questioned(connection, here()) {
            @Override
            void beforeQuestion(int number) {
                if (number == ASKED_OFTEN_ENOUGH + 1) { // the version of the broker comes first
                    connection.abort();
                }
            }
        });

        assertThat(reason(lookup)).isEqualTo("the connection is lost");
    }

    /** As RabbitMQ 4.2.6 and later answer for each queue that the user has no right to, also for one that is there and whose node is down. */
    @Test
    void aRightThatIsMissingProvesNothing() throws Exception {
        int port = server.port();
        try (FrameProxy proxy = new FrameProxy(() -> port, FrameProxy.FORBIDS_QUESTIONS)) {
            Address address = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            Questioned asked = new Questioned(server.connect(), address);

            assertThat(reason(lookup(settings("", address), asked)))
                    .contains("whether queue topic exists is not known", "grant user guest configure on it");
            RabbitSettings declared = settings(new Topology("changes", "topic", "", ""), address);
            assertThat(reason(lookup(declared, asked)))
                    .contains("whether queue topic exists is not known", "grant user guest configure on it");
        }
        Questioned asked = new Questioned(server.connect(), here());
        assertThat(reason(lookup(settings("changes", here(), address("writer", "p", "/")), asked)))
                .contains(
                        "whether all nodes are joined is not known",
                        "grant user writer configure on ^sluice\\.producer");
    }

    /** Such as an LDAP server that is down: another connection would send beside an earlier one. */
    @Test
    void aRightThatTheBrokerCouldNotLookUpIsNoMissingOne() throws Exception {
        int port = server.port();
        try (FrameProxy proxy =
                new FrameProxy(() -> port, Map.of(" refused for user 'writer'", " returned an error: failed"))) {
            ConnectionFactory factory = new ConnectionFactory();
            factory.setPort(proxy.port());
            factory.setUsername("writer");
            factory.setPassword("p");
            Connection connection = factory.newConnection();
            opened.add(connection::abort);
            Fence fence = new Fence(true, "rights", TIMEOUT, time);
            assertThatThrownBy(() -> fence.pass(connection, TIMEOUT))
                    .satisfies(
                            failure -> assertThat(RabbitErrors.textOf(failure)).contains("returned an error: failed"));
            TopologyDeclaration declaration =
                    new TopologyDeclaration(new Topology("changes", "wanted", "#", "topic"), connection);
            assertThatThrownBy(() -> declaration.declare(null))
                    .isInstanceOf(SendException.class)
                    .hasMessageContaining("rabbitmq.queue=wanted")
                    .hasMessageContaining("returned an error: failed");
        }
    }

    /** It may be one that the broker could not look up. */
    @Test
    void aRightWhoseTextIsCutIsNoMissingOne() throws Exception {
        int port = server.port();
        try (FrameProxy proxy =
                new FrameProxy(() -> port, Map.of(" refused for user 'writer'", " returned an err in a d..."))) {
            Connection connection = connect(proxy.port(), "writer");
            Fence fence = new Fence(true, "cut", TIMEOUT, time);

            assertThatThrownBy(() -> fence.pass(connection, TIMEOUT))
                    .satisfies(failure -> assertThat(RabbitErrors.explained(failure))
                            .startsWith("the text is cut")
                            .endsWith("..."));
        }
    }

    /** The broker cuts texts of more than 255 bytes. */
    @Test
    void aMissingRightIsKnownAlsoIfTheNameOfTheFenceIsLong() throws Exception {
        Connection connection = connect(server.port(), "writer");
        Fence fence = new Fence(true, "n".repeat(200), TIMEOUT, time);

        fence.pass(connection, TIMEOUT);

        assertThat(connection.isOpen()).isTrue();
        assertThat(fence.isToBeKept()).isFalse();
    }

    private Connection connect(int port, String user) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setPort(port);
        factory.setUsername(user);
        factory.setPassword("p");
        Connection connection = factory.newConnection();
        opened.add(connection::abort);
        return connection;
    }

    /** The broker closes the connection over a channel that is one too many. */
    @Test
    void aQuestionAtALimitOfChannelsDoesNotEndTheConnectionOfTheMessages() throws Exception {
        Address limited = address("limited", "p", "/");
        RabbitSettings settings = settings("", limited);
        Connection connection = settings.factory(limited, socket -> {}).newConnection("limited");
        Questioned asked = new Questioned(connection, limited);
        assertThat(connection.createChannel()).isNotNull();
        server.control("set_user_limits", "limited", "{\"max-channels\": 0}"); // for those that are opened from now on
        try {
            assertThat(reason(lookup(settings, asked)))
                    .contains(
                            "127.0.0.1:%d has reached a limit, raise it".formatted(server.port()),
                            "number of channels");
            assertThat(connection.isOpen()).isTrue();
        } finally {
            server.control("clear_user_limits", "limited", "all");
        }
    }

    /** That of connections, of channels and of queues: each is up, and may be cut off. */
    @Test
    void aLimitOfANodeProvesNothingAndIsNamed() {
        Questioned asked = new Questioned(server.connect(), here());
        RabbitSettings settings = settings("changes", here(), address("limited", "p", "/"));
        try {
            for (String limit : List.of("max-connections", "max-channels")) {
                server.control("set_user_limits", "limited", "{\"%s\": 0}".formatted(limit));
                assertThat(reason(lookup(settings, asked)))
                        .as(limit)
                        .contains("whether all nodes are joined is not known", "has reached a limit, raise it")
                        .doesNotContain("remove it", "does not answer");
                server.control("clear_user_limits", "limited", "all");
            }
            server.control("set_vhost_limits", "-p", "/", "{\"max-queues\": 0}");
            assertThat(reason(lookup(settings, asked)))
                    .contains("has reached a limit, raise it", "queue limit in vhost")
                    .doesNotContain("remove it");
        } finally {
            server.control("clear_user_limits", "limited", "all");
            server.control("clear_vhost_limits", "-p", "/");
        }
    }

    /** Without the node in the list its queues would count as missing ones. */
    @Test
    void aNodeThatIsNotReadyIsNotToBeRemoved() {
        Questioned asked = new Questioned(server.connect(), here());
        QueueLookup lookup = lookup(settings("changes", here(), address("stopped", "p", "stopped")), asked);
        server.control("eval", "rabbit_vhost_sup_sup:delete_on_all_nodes(<<\"stopped\">>).");
        try {
            assertThat(reason(lookup))
                    .contains("127.0.0.1:%d is not ready".formatted(server.port()), "vhost 'stopped' is down")
                    .doesNotContain("remove it");
        } finally {
            server.control("restart_vhost", "--vhost", "stopped");
        }
    }

    /** It is read before the node is connected to. */
    @Test
    void aTrustStoreThatIsGoneProvesNothingAboutTheNodes(@TempDir Path folder) {
        Address secure = new Address("127.0.0.1", server.port(), true, "guest", "guest", "/");
        RabbitSettings settings = settings(
                new Topology("changes", "", "", ""),
                new TlsOptions(KeyStoreFile.of(folder.resolve("gone.p12"), "secret"), null, false),
                here(),
                secure);

        assertThat(reason(lookup(settings, new Questioned(server.connect(), here()))))
                .contains("whether all nodes are joined is not known", "gone.p12")
                .doesNotContain("does not answer");
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
                .until(() -> questionConnections().lines().count() == 2);
        String connections = questionConnections();
        assertThat(reason(lookup)).isEmpty();
        lookup.closeIdle();
        assertThat(questionConnections()).isEqualTo(connections);
        assertThat(server.control("list_queues", "--quiet", "name")).doesNotContain(ProbeQueue.PREFIX);

        time.passSeconds(11);
        lookup.closeIdle();
        assertThat(lookup.keepsConnections()).isFalse();
        Awaitility.await().atMost(TIMEOUT).until(() -> questionConnections().isEmpty());
        assertThat(reason(lookup)).isEmpty();
        lookup.close();
        Awaitility.await().atMost(TIMEOUT).until(() -> questionConnections().isEmpty());
        assertThat(reason(lookup)).contains("closed");
    }

    /** As after a name of several hosts has changed. The certificate has the name, so the host cannot be chosen, and each question would be a handshake and a login. */
    @Test
    void questionsByTlsDoNotOpenMoreAndMoreConnectionsIfTheNameLeadsToAnotherHost() throws Exception {
        int port = server.port();
        Address secure = new Address("localhost", server.tlsPort(), true, "guest", "guest", "/");
        TlsOptions tls = new TlsOptions(KeyStoreFile.of(certificates.certificate(), ""), null, true);
        RabbitSettings settings = settings(new Topology("", "", "", ""), tls, secure);
        try (FrameProxy proxy = new FrameProxy(
                new InetSocketAddress("127.0.0.2", 0),
                () -> port,
                Map.of("NOT_FOUND - no queue 'down'", "NOT_FOUND - if queue 'down'"),
                Map.of())) {
            Address host = new Address("127.0.0.2", proxy.port(), false, "guest", "guest", "/");
            Connection connection = settings.factory(host, socket -> {}).newConnection("messages");
            QueueLookup lookup = lookup(settings, new Questioned(connection, secure));
            assertThat(reason(lookup)).isEmpty();
            Awaitility.await()
                    .atMost(TIMEOUT)
                    .until(() -> questionConnections().lines().count() == 1);
            String connections = questionConnections();

            assertThat(lookup.unreachable(Set.of("down")).get("down"))
                    .as("to the host of the messages its node is down")
                    .contains("exists, start its node");
            assertThat(reason(lookup)).isEmpty();
            assertThat(questionConnections()).isEqualTo(connections);
        }
    }

    private static String questionConnections() {
        return server.control("list_connections", "--quiet", "pid", "client_properties")
                .lines()
                .filter(line -> line.contains("sluice-question"))
                .collect(Collectors.joining("\n"));
    }

    @Test
    void theNodeOfTheConnectionIsNotAskedAsAnother() {
        QueueLookup lookup = lookup(settings("changes", here(), here()), new Questioned(server.connect(), here()));

        assertThat(reason(lookup)).isEmpty();
        assertThat(lookup.keepsConnections()).isFalse();
    }

    @Test
    void aConnectionWithoutAnotherChannelIsNotAsked() throws Exception {
        ConnectionFactory factory = settings("changes", here()).factory(here(), socket -> {});
        factory.setRequestedChannelMax(1);
        Connection connection = factory.newConnection("full");
        assertThat(connection.createChannel()).isNotNull();
        Questioned asked = new Questioned(connection, here());

        assertThat(reason(lookup(settings("", here()), asked))).isEmpty();
        assertThat(reason(lookup(settings("changes", here(), joined()), asked)))
                .as("another connection may be to another node")
                .contains("whether all nodes are joined is not known", "allows no more channels");
        assertThat(connection.isOpen()).isTrue();
    }

    /** One address may lead to several nodes. To the one of the messages the queue is one of those whose node is down. */
    @Test
    void anotherNodeBehindALoadBalancerProvesNothing() throws Exception {
        int port = server.port();
        Topology topology = new Topology("changes", "balanced", "", "");
        try (FrameProxy proxy = new FrameProxy(
                        () -> port, Map.of("NOT_FOUND - no ", "NOT_FOUND - if "), Map.of("balanced", "missing2"));
                Connection other = server.connect()) {
            Address partial = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            RabbitSettings settings = settings(topology, here());
            Connection connection = settings.factory(partial, socket -> {}).newConnection("messages");
            QueueLookup lookup = lookup(settings, new Questioned(connection, here()));
            assertThat(reason(lookup)).contains("queue balanced exists, start its node");

            other.createChannel().queueDeclare("balanced", false, false, true, Map.of());

            assertThat(reason(lookup)).contains("queue balanced exists, start its node");
            other.createChannel().queueDelete("balanced");
        }
        RabbitSettings settings = settings(topology, here());
        assertThat(reason(lookup(settings, new Questioned(server.connect(), here()))))
                .as("missing at the node that has returned it")
                .isEmpty();
    }

    @Test
    void aMarkThatAnotherNodeBehindALoadBalancerKnowsProvesNothing() throws Exception {
        RabbitSettings settings = settings("changes", here(), joined());
        Connection connection = settings.factory(cutOff(), socket -> {}).newConnection("messages");

        assertThat(reason(lookup(settings, new Questioned(connection, here()))))
                .contains("is up, but what is declared there is not known");
    }

    /** The question over a connection of its own may have been answered by another node. */
    @Test
    void aNodeBehindALoadBalancerThatDeclaresNothingProvesNothing() throws Exception {
        int port = server.port();
        Map<String, String> words = Map.of(
                "3.10.", "4.10.", // one that may use Khepri
                " refused for user 'writer'", " returned an error: failed");
        try (FrameProxy proxy = new FrameProxy(() -> port, words)) {
            RabbitSettings settings = settings("changes", here());
            Address behind = new Address("127.0.0.1", proxy.port(), false, "writer", "p", "/");
            Connection connection = settings.factory(behind, socket -> {}).newConnection("messages");

            assertThat(reason(lookup(settings, new Questioned(connection, here()))))
                    .contains("knows of all queues is not known", "returned an error: failed");
            assertThat(left).singleElement().asString().contains("does not declare a queue");
        }
    }

    @Test
    void aRightThatIsMissingIsNotAskedForBehindALoadBalancer() throws Exception {
        int port = server.port();
        try (FrameProxy proxy = new FrameProxy(() -> port, Map.of("3.10.", "4.10."))) {
            RabbitSettings settings = settings("changes", here());
            Address behind = new Address("127.0.0.1", proxy.port(), false, "writer", "p", "/");
            Connection connection = settings.factory(behind, socket -> {}).newConnection("messages");

            assertThat(reason(lookup(settings, new Questioned(connection, here()))))
                    .isEmpty();
            assertThat(left).isEmpty();
        }
    }

    /** Its channel is the broker's until it is answered. */
    @Test
    void aConnectionWhoseNodeDoesNotAnswerAQuestionIsGivenUp() throws Exception {
        int port = server.port();
        try (HoldingProxy proxy = new HoldingProxy(() -> port)) {
            RabbitSettings settings = settings(new Topology("changes", "silent", "", ""), here());
            Address silent = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            Connection connection = settings.factory(silent, socket -> {}).newConnection("messages");
            proxy.hold();

            assertThat(reason(lookup(settings, new Questioned(connection, here()))))
                    .contains("whether queue silent exists is not known", "does not answer");
            assertThat(left).singleElement().asString().contains("has not answered a question");
        }
    }

    @Test
    void nodesThatKnowEachOthersQueuesAreJoined() {
        Questioned asked = new Questioned(server.connect(), here());

        assertThat(reason(lookup(settings("changes", here(), joined()), asked))).isEmpty();
        assertThat(left).isEmpty();
        assertThat(reason(lookup(settings("changes", here(), cutOff()), asked)))
                .contains("127.0.0.1:%d is up, but what is declared there is not known".formatted(server.port()));
        assertThat(left).as("the other one may be a cluster of its own").isEmpty();
    }

    /** As in a partition with two nodes on the other side, and as at a node that has lost its disk, is a cluster of its own, and has the exchange by its definitions. */
    @Test
    void theNodeIsLeftIfItIsCutOffFromTheOthersAndTheyAreJoined() throws Exception {
        RabbitSettings settings = settings("changes", cutOff(), here(), joined());
        Connection connection = settings.factory(cutOff(), socket -> {}).newConnection("messages");

        assertThat(reason(lookup(settings, new Questioned(connection, cutOff()))))
                .contains("is up, but what is declared there is not known to", "connecting to that node");
        assertThat(left).singleElement().asString().contains("it is cut off from");
        assertThat(leftFor).as("of which that is known").isEqualTo(joined());
    }

    @Test
    void theNodeIsNotLeftIfAnotherOneIsCutOffFromAllOrHalfOfThemAreJoined() throws Exception {
        Questioned asked = new Questioned(server.connect(), here());
        assertThat(reason(lookup(settings("changes", here(), cutOff(), joined()), asked)))
                .contains("is up, but what is declared there is not known", "wait until they are joined again");

        Address third = new Address("127.0.0.1", server.port(), false, "stopped", "p", "stopped");
        RabbitSettings halves = settings("changes", cutOff(), here(), joined(), third);
        Connection connection = halves.factory(cutOff(), socket -> {}).newConnection("messages");
        assertThat(reason(lookup(halves, new Questioned(connection, cutOff()))))
                .contains("is up, but what is declared there is not known", "wait until they are joined again");
        assertThat(left).isEmpty();
    }

    /** As while the network between two of three nodes is down. To the first one the queue is one of those whose node is down. */
    @Test
    void theNodeIsLeftIfAnotherOneThatIsJoinedReachesTheQueue() throws Exception {
        int port = server.port();
        try (FrameProxy proxy = new FrameProxy(
                () -> port, Map.of("NOT_FOUND - no ", "NOT_FOUND - if "), Map.of("partial", "missing"))) {
            Address partial = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            Connection connection = server.connect();
            QueueLookup lookup = lookup(settings("", partial, here()), new Questioned(connection, partial));
            assertThat(lookup.unreachable(Set.of("partial")).get("partial")).contains("exists, start its node");
            assertThat(left).isEmpty();

            connection.createChannel().queueDeclare("partial", false, true, true, Map.of());
            assertThat(lookup.unreachable(Set.of("partial")).get("partial"))
                    .as("locked, and so not known to take messages")
                    .contains("exists, start its node");
            connection.createChannel().queueDelete("partial");
            connection.createChannel().queueDeclare("partial", false, false, true, Map.of());

            assertThat(lookup.unreachable(Set.of("partial")).get("partial")).contains("is reached from 127.0.0.1");
            assertThat(left).singleElement().asString().contains("is reached from 127.0.0.1");
            assertThat(leftFor).as("the node of which that is known").isEqualTo(here());
            connection.createChannel().queueDelete("partial");
        }
    }

    /** As at a node that has lost its disk, is a cluster of its own, and has queues by its definitions. */
    @Test
    void theNodeIsNotLeftForAQueueOfAnotherCluster() throws Exception {
        RabbitSettings settings = settings("", cutOff(), here());
        Connection connection = settings.factory(cutOff(), socket -> {}).newConnection("partial");
        Questioned asked = new Questioned(connection, cutOff());
        connection.createChannel().queueDeclare("reached", true, false, false, Map.of());
        stopProcessOf("reached");
        QueueLookup lookup = lookup(settings, asked);
        assertThat(lookup.unreachable(Set.of("reached")).get("reached")).contains("exists, start its node");
        assertThat(left).isEmpty();

        try (Connection other = server.connect()) {
            other.createChannel().queueDeclare("reached", false, false, true, Map.of());
        }

        assertThat(lookup.unreachable(Set.of("reached")).get("reached")).contains("exists, start its node");
        assertThat(left).isEmpty();
    }

    /** As in a partition that keeps both sides, with the queue on the larger one. */
    @Test
    void theNodeIsLeftForAQueueOfTheOthersIfTheyAreJoined() throws Exception {
        RabbitSettings settings = settings("", cutOff(), here(), joined());
        Connection connection = settings.factory(cutOff(), socket -> {}).newConnection("partial");
        Questioned asked = new Questioned(connection, cutOff());
        connection.createChannel().queueDeclare("of.both", true, false, false, Map.of());
        stopProcessOf("of.both");
        try (Connection other = server.connect()) {
            other.createChannel().queueDeclare("of.both", false, false, true, Map.of());

            assertThat(lookup(settings, asked).unreachable(Set.of("of.both")).get("of.both"))
                    .contains("exists, start its node", "connecting to that node");
            assertThat(leftFor).isIn(here(), joined());
            other.createChannel().queueDelete("of.both");
        }
    }

    /** As at a node that has lost its disk, and is a cluster of its own. */
    @Test
    void aQueueThatAnotherClusterHasIsNoMissingOne() throws Exception {
        RabbitSettings settings = settings("", cutOff(), here());
        Connection connection = settings.factory(cutOff(), socket -> {}).newConnection("blank");
        Questioned asked = new Questioned(connection, cutOff());
        try (Connection other = server.connect()) {
            other.createChannel().queueDeclare("elsewhere", false, false, true, Map.of());
            Map<String, String> found = lookup(settings, asked).unreachable(Set.of("elsewhere"));
            assertThat(found.get("elsewhere"))
                    .contains("queue elsewhere exists at", "but not at", "wait until they are joined again");
            assertThat(left).isEmpty();
            assertThat(lookup(settings, asked).unreachable(Set.of("absent"))).isEmpty();

            RabbitSettings three = settings("", cutOff(), here(), joined());
            assertThat(lookup(three, asked).unreachable(Set.of("elsewhere")).get("elsewhere"))
                    .contains("queue elsewhere exists at", "connecting to that node");
            assertThat(leftFor).isEqualTo(joined());
            other.createChannel().queueDelete("elsewhere");
        }
    }

    /** The other one may have it, and be back soon. */
    @Test
    void aQueueIsNotMissingWhileHalfOfTheNodesDoNotAnswerAndTheyAreAskedAgain() throws Exception {
        AtomicInteger port = new AtomicInteger(1);
        try (FrameProxy proxy = new FrameProxy(port::get, Map.of());
                Connection other = server.connect()) {
            other.createChannel().queueDeclare("of.half", false, false, true, Map.of());
            Address down = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            Connection connection =
                    settings("", cutOff()).factory(cutOff(), socket -> {}).newConnection("blank");
            QueueLookup lookup = lookup(settings("", cutOff(), down), new Questioned(connection, cutOff()));
            for (int i = 0; i < ASKED_OFTEN_ENOUGH; i++) {
                assertThat(reason(lookup, "of.half"))
                        .contains("whether queue of.half exists at", "is not known", "does not answer");
            }

            port.set(server.port());
            time.passSeconds(11);
            assertThat(reason(lookup, "of.half"))
                    .contains("queue of.half exists at 127.0.0.1:" + proxy.port(), "but not at");
            other.createChannel().queueDelete("of.half");
            assertThat(reason(lookup, "of.half")).as("missing at both").isEmpty();
        }
    }

    /** Or it would hold up each message that no queue takes for as long as connecting may take. */
    @Test
    void aNodeThatIsDownIsAskedOnceInTenSecondsForAQueueThatMostNodesDoNotHave() throws Exception {
        AtomicInteger connections = new AtomicInteger();
        try (ServerSocket down = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread closing = new Thread(() -> {
                try {
                    while (true) {
                        try (Socket socket = down.accept()) {
                            assertThat(socket.isConnected()).isTrue();
                            connections.incrementAndGet(); // before the client sees the end
                        }
                    }
                } catch (IOException e) { // closed at the end
                    return;
                }
            });
            closing.start();
            Address other = new Address("127.0.0.1", down.getLocalPort(), false, "guest", "guest", "/");
            QueueLookup lookup =
                    lookup(settings("", here(), joined(), other), new Questioned(server.connect(), here()));
            assertThat(reason(lookup)).isEmpty();
            assertThat(reason(lookup)).isEmpty();
            time.passSeconds(11);
            assertThat(reason(lookup)).isEmpty();
        }
        assertThat(connections).hasValue(2);
    }

    private OtherNodes others(Address... addresses) {
        return new OtherNodes(settings("changes", addresses), time);
    }

    private @Nullable Doubt aboutExchange(OtherNodes others, String exchange) {
        Connection connection = server.connect();
        opened.add(connection::abort);
        return others.about(connection, here(), List.of(missing(exchange)), () -> true);
    }

    private static Need missing(String exchange) {
        return new Need(
                "rabbitmq.exchange",
                exchange,
                PASSIVE.computeIfAbsent(exchange, name -> channel -> channel.exchangeDeclarePassive(name)),
                false,
                BrokerAnswer.of(404, "NOT_FOUND - no exchange", false, true));
    }

    private String reason(OtherNodes others) {
        Doubt doubt = aboutExchange(others, "changes");
        assertThat(doubt).isNotNull();
        assertThat(doubt.at()).isNull();
        return doubt.reason();
    }

    /** The addresses are of one cluster: the operator must learn what to do. */
    @Test
    void whyItIsNotKnownWhetherAnotherNodeHasAnExchangeIsNamedWithTheRemedy() {
        assertThat(reason(others(here(), new Address("127.0.0.1", 1, false, "guest", "guest", "/"))))
                .contains("whether it exists at 127.0.0.1:1 is not known", "does not answer, start it, or remove it");
        assertThat(reason(others(here(), address("guest", "wrong", "/"))))
                .contains("is up, but refuses", "rabbitmq.username, rabbitmq.password");
        assertThat(reason(others(here(), new Address("127.0.0.1", server.port(), true, "guest", "guest", "/"))))
                .as("TLS at a port that has none")
                .contains("is up, but refuses", "rabbitmq.tls")
                .doesNotContain("remove it");
        server.control("set_user_limits", "limited", "{\"max-connections\": 0}");
        try {
            assertThat(reason(others(here(), address("limited", "p", "/"))))
                    .contains("has reached a limit, raise it")
                    .doesNotContain("remove it", "of one cluster");
        } finally {
            server.control("clear_user_limits", "limited", "all");
        }
    }

    @Test
    void anExchangeThatAnotherNodeHasIsFoundAlsoBehindOneThatIsDown() {
        Address down = new Address("127.0.0.1", 1, false, "guest", "guest", "/");

        assertThat(aboutExchange(others(here(), down, cutOff()), "amq.direct"))
                .isEqualTo(new Doubt(
                        missing("amq.direct"),
                        cutOff(),
                        "it exists at 127.0.0.1:%d, connecting to that node; check that all addresses of rabbitmq.host are of one cluster"
                                .formatted(server.port())));
        assertThat(aboutExchange(others(here()), "amq.direct")).isNull();
    }

    /** Or each message that is passed over would be a login at each node. */
    @Test
    void thatNoNodeHasAnExchangeIsKeptForSomeSeconds() throws Exception {
        OtherNodes others = others(here(), cutOff());
        assertThat(aboutExchange(others, "made.later")).isNull();
        Connection connection =
                settings("", cutOff()).factory(cutOff(), socket -> {}).newConnection("other");
        opened.add(connection::abort);
        connection.createChannel().exchangeDeclare("made.later", "fanout");
        assertThat(aboutExchange(others, "made.later")).isNull();

        time.passSeconds(6);
        assertThat(aboutExchange(others, "made.later")).isNotNull();
        assertThat(aboutExchange(others, "absent")).isNull();
        connection.createChannel().exchangeDeclare("absent", "fanout");
        others.forget();
        assertThat(aboutExchange(others, "absent")).as("connected meanwhile").isNotNull();
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
            assertThatThrownBy(
                            () -> new TopologyDeclaration(new Topology("", "topic", "", ""), connection).declare(null))
                    .isInstanceOfSatisfying(
                            SendException.class, e -> assertThat(e.kind()).isEqualTo(FailureKind.PASSING));
            assertThat(proxy.reworded()).contains("RabbitMQ");
        }
    }

    /** The broker reads nothing from a connection that it blocks. */
    @Test
    void aQuestionIsAnsweredWhileTheConnectionOfTheMessagesIsBlocked() throws Exception {
        Connection connection = server.connect();
        CountDownLatch blocked = new CountDownLatch(1);
        connection.addBlockedListener(why -> blocked.countDown(), () -> {});
        QueueLookup lookup = lookup(settings("", here()), new Questioned(connection, here()));
        server.control("set_vm_memory_high_watermark", "absolute", "1");
        try {
            connection.createChannel().basicPublish("", "absent", null, new byte[0]);
            assertThat(blocked.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(reason(lookup)).isEmpty();
        } finally {
            server.control("set_vm_memory_high_watermark", "0.4");
        }
    }

    /** Each may take as long as connecting does, while messages of the next attempt wait for the thread. */
    @Test
    void noOtherNodeIsConnectedToAfterTheConnectionWasGivenUp() throws Exception {
        try (ServerSocket first = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                ServerSocket second = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            RabbitSettings settings = settings(
                    new Topology("", "", "", ""),
                    cutOff(),
                    new Address("127.0.0.1", first.getLocalPort(), false, "guest", "guest", "/"),
                    new Address("127.0.0.1", second.getLocalPort(), false, "guest", "guest", "/"));
            Connection connection = settings.factory(cutOff(), socket -> {}).newConnection("messages");
            connection.createChannel().queueDeclare("given.up", true, false, false, Map.of());
            stopProcessOf("given.up");
            QueueLookup lookup = lookup(settings, new Questioned(connection, cutOff()));
            Thread givingUp = new Thread(() -> {
                try (Socket asked = first.accept()) {
                    lookup.stop();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            givingUp.start();

            assertThat(lookup.unreachable(Set.of("given.up")).get("given.up")).contains("exists, start its node");
            givingUp.join();
            second.setSoTimeout(1);
            assertThatThrownBy(second::accept).isInstanceOf(SocketTimeoutException.class);
            connection.createChannel().queueDelete("given.up");
        }
    }

    /** As that of a node that is frozen. */
    @Test
    void aNodeThatDoesNotAnswerAQuestionIsLeftIfThereIsAnother() throws Exception {
        int port = server.port();
        try (HoldingProxy proxy = new HoldingProxy(() -> port)) {
            Address address = new Address("127.0.0.1", proxy.port(), false, "guest", "guest", "/");
            Questioned asked = new Questioned(server.connect(), address);
            proxy.hold();

            assertThat(reason(lookup(settings("", address), asked)))
                    .contains("whether queue topic exists is not known", "does not answer");
            assertThat(left).isEmpty();
            assertThat(reason(lookup(settings("", address, here()), asked)))
                    .contains("whether queue topic exists is not known", "does not answer");
            assertThat(left).singleElement().asString().contains("does not answer questions");
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
