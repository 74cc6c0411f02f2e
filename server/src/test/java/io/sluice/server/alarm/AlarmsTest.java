package io.sluice.server.alarm;

import static io.sluice.server.alarm.WebhookServer.reply;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.protocol.time.Time;
import io.sluice.server.alarm.WebhookServer.Request;
import io.sluice.server.config.alarm.AlarmConfig;
import io.sluice.server.config.alarm.Webhook;
import io.sluice.server.config.alarm.WebhookFormat;
import io.sluice.server.config.text.Secret;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Alarms arrive at a web hook, and whatever it does nothing else waits for it. */
@Timeout(300)
class AlarmsTest {
    private static final Duration SOON = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<WebhookSender> senders = new ArrayList<>();
    private final WebhookSender.Totals totals = new WebhookSender.Totals();
    private volatile List<InstanceProblems> standings = List.of();
    private WebhookServer server;

    @BeforeEach
    void open() throws IOException {
        server = new WebhookServer();
    }

    @AfterEach
    void close() throws InterruptedException {
        for (WebhookSender sender : senders) {
            sender.beginClose();
            sender.awaitEnd(Duration.ofMillis(1));
        }
        timer.shutdownNow();
        server.close();
    }

    @Test
    void whatIsRaisedAndOverIsPosted() throws Exception {
        // As many as a message has at most: it is posted as soon as the last of them is there.
        List<String> names = IntStream.range(0, WebhookSender.MAX_IN_A_MESSAGE)
                .mapToObj(number -> "shop" + number)
                .toList();
        standings = names.stream().map(AlarmsTest::failed).toList();
        AlarmConfig config = config(Duration.ofSeconds(8), server.hook(WebhookFormat.JSON, "/hook", ""));
        Alarms alarms = Alarms.start(() -> standings, config, timer, SOON, Time.SYSTEM);
        await().atMost(PATIENCE).until(() -> alarms.counts().sent() == names.size());
        standings = Stream.concat(
                        Stream.of(calm("shop0")), names.stream().skip(1).map(AlarmsTest::failed))
                .toList();
        await().atMost(PATIENCE).until(() -> alarms.counts().sent() == names.size() + 1);

        assertThat(server.requests()).hasSize(2);
        JsonNode raised = JSON.readTree(server.requests().get(0).body());
        assertThat(raised.path("server").asText()).isEqualTo("s1");
        assertThat(raised.path("alarms").findValuesAsText("instance")).containsExactlyElementsOf(names);
        assertThat(raised.path("alarms").findValuesAsText("kind")).containsOnly("failed");
        JsonNode over = JSON.readTree(server.requests().get(1).body());
        assertThat(over.path("alarms").findValuesAsText("phase")).containsExactly("recovered");
        assertThat(over.path("text").asText()).contains("[recovered] instance shop0");
        end(alarms);
    }

    @Test
    void aLookThatEndsWithAnErrorIsFollowedByOthers() {
        AtomicBoolean hasFailed = new AtomicBoolean();
        Alarms alarms = Alarms.start(
                () -> {
                    if (hasFailed.compareAndSet(false, true)) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    return List.of(failed("shop"));
                },
                config(server.hook(WebhookFormat.JSON, "/hook", "")),
                timer,
                SOON,
                Time.SYSTEM);

        await().atMost(PATIENCE).until(() -> alarms.counts().sent() == 1);
        end(alarms);
    }

    @Test
    void aLastAlarmIsPostedWhileTheServerEnds() {
        Alarms alarms = start(server.hook(WebhookFormat.SLACK, "/hook", ""));
        standings = List.of(failed("shop"));

        end(alarms);

        assertThat(server.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.body()).contains("[raised] instance shop"));
    }

    @Test
    void anotherConfigurationTakesEffectWhileItRuns() throws Exception {
        Alarms alarms = start();
        standings = List.of(failed("shop"));
        assertThatThrownBy(alarms::test)
                .isInstanceOf(CommandRejectedException.class)
                .hasMessageContaining("canal.alarm.webhook.url");

        alarms.configure(config(server.hook(WebhookFormat.JSON, "/later", "")));
        await().atMost(PATIENCE).until(() -> alarms.counts().sent() == 1);
        alarms.configure(config(server.hook(WebhookFormat.JSON, "/third", "")));
        assertThat(alarms.test()).containsExactly(new AlarmTest(1, "json", true, ""));

        assertThat(server.requests()).extracting(Request::path).containsExactly("/later", "/third");
        end(alarms);
    }

    @Test
    void aTestSaysWhatIsWrongWithoutTheUrl() {
        server.always(exchange -> reply(exchange, 403, "no such hook: " + server.url("/T0/secret/path")));
        Webhook nobody = new Webhook(
                WebhookFormat.JSON, new Secret("http://127.0.0.1:" + FreePorts.next() + "/secret"), new Secret(""));
        Alarms alarms = start(server.hook(WebhookFormat.SLACK, "/T0/secret/path", ""), nobody);

        assertThat(alarms.test())
                .containsExactly(
                        new AlarmTest(1, "slack", false, "status 403: no such hook: ******"),
                        new AlarmTest(2, "json", false, "the host cannot be connected to"));
        end(alarms);
    }

    /** As frameworks for servers do with paths that they do not know. */
    @Test
    void anAnswerThatQuotesTheTokenIsSaidWithoutIt() {
        String path = "/services/T0ABCDEF/secretsecretsecret?key=0123456789abcdef";
        String padding = "x".repeat(180);
        server.next(exchange -> reply(exchange, 404, "{\"path\":\"/services/T0ABCDEF/secretsecretsecret\"}"));
        server.next(exchange -> reply(exchange, 403, "no token secretsecretsecret, no key 0123456789ABCDEF"));
        server.next(exchange -> reply(exchange, 403, padding + " secretsecretsecret"));
        Alarms alarms = start(server.hook(WebhookFormat.SLACK, path, ""));

        assertThat(alarms.test()).extracting(AlarmTest::detail).containsExactly("status 404: {\"path\":\"******\"}");
        assertThat(alarms.test())
                .extracting(AlarmTest::detail)
                .containsExactly("status 403: no token ******, no key ******");
        assertThat(alarms.test()).extracting(AlarmTest::detail).containsExactly("status 403: " + padding + " ******");
        end(alarms);
    }

    @Test
    void failuresThatMayPassAreRetriedAndAnswersThatRejectAreNot() {
        WebhookSender sender = sender(server.hook(WebhookFormat.DINGTALK, "/robot?access_token=t", ""), 30_000);
        server.next(exchange -> exchange.close()); // the connection breaks
        server.next(exchange -> reply(exchange, 503, ""));
        server.next(exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "0");
            reply(exchange, 429, "");
        });
        server.next(exchange -> reply(exchange, 200, "{\"errcode\":130101,\"errmsg\":\"too fast\"}"));
        server.next(exchange -> reply(exchange, 200, "{\"errcode\":0,\"errmsg\":\"ok\"}"));
        sender.offer(alarm("first"));
        await().atMost(PATIENCE).until(() -> totals.counts().sent() == 1);
        assertThat(server.requests()).hasSize(5);

        for (String body : List.of("{\"errcode\":310000}", "<html>", "", "{}", "[1]", "{\"errcode\":\"0\"}")) {
            server.next(exchange -> reply(exchange, 200, body));
            long before = totals.counts().failed();
            sender.offer(alarm("rejected"));
            await().atMost(PATIENCE).until(() -> totals.counts().failed() == before + 1);
        }
        assertThat(server.requests()).hasSize(11);
        assertThat(totals.counts()).isEqualTo(new AlarmCounts(1, 6, 0));
    }

    @Test
    void anAlarmThatMeetsAShortageIsPostedLaterAndSoAreTheNextOnes() {
        AtomicBoolean hasFailed = new AtomicBoolean();
        Supplier<String> name = () -> {
            if (hasFailed.compareAndSet(false, true)) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            return "s1";
        };
        WebhookSender sender = sender(server.hook(WebhookFormat.JSON, "/hook", ""), 30_000, name);

        sender.offer(alarm("first"));
        await().atMost(PATIENCE).until(() -> totals.counts().sent() == 1);
        sender.offer(alarm("second"));
        await().atMost(PATIENCE).until(() -> totals.counts().sent() == 2);
    }

    @Test
    void aMessageThatCannotBeMadeFailsATestAndEndsNothing() throws Exception {
        Time broken = new Time() {
            @Override
            public long nanos() {
                return 0;
            }

            @Override
            public long millis() {
                throw new StackOverflowError();
            }

            @Override
            public void sleep(Duration length) {}
        };
        Webhook hook = server.hook(WebhookFormat.JSON, "/hook", "");
        WebhookSender sender =
                new WebhookSender(1, hook, config(hook), () -> "s1", new HttpPost(), totals, SOON, broken);
        senders.add(sender);

        String wrong = sender.tryOnce(new AlarmMessage("s1", Instant.EPOCH, 0, List.of(alarm("shop"))));

        assertThat(wrong).isEqualTo("it cannot be posted: StackOverflowError");
    }

    @Test
    void redirectsAreNotFollowed() {
        WebhookSender sender = sender(server.hook(WebhookFormat.JSON, "/hook", ""), 30_000);
        server.always(exchange -> {
            exchange.getResponseHeaders().add("Location", server.url("/elsewhere"));
            reply(exchange, 307, "");
        });
        sender.offer(alarm("a"));

        await().atMost(PATIENCE).until(() -> totals.counts().failed() == 1);
        assertThat(server.requests()).extracting(Request::path).containsExactly("/hook");
    }

    @Test
    void triesALimitedNumberOfTimes() {
        WebhookSender sender = sender(server.hook(WebhookFormat.JSON, "/hook", ""), 30_000);
        server.always(exchange -> reply(exchange, 500, ""));
        sender.offer(alarm("a"));

        await().atMost(PATIENCE).until(() -> totals.counts().failed() == 1);
        assertThat(server.requests()).hasSize(WebhookSender.ATTEMPTS);
    }

    @Test
    void anAnswerWithoutAnEndTakesNoLongerThanTheTimeout() {
        WebhookSender sender = sender(server.hook(WebhookFormat.JSON, "/hook", ""), 1000);
        CountDownLatch isOver = new CountDownLatch(1);
        server.next(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('a');
            exchange.getResponseBody().flush();
            try {
                isOver.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        sender.offer(alarm("a"));

        await().atMost(PATIENCE).until(() -> totals.counts().sent() == 1);
        isOver.countDown();
        assertThat(server.requests()).hasSizeGreaterThan(1);
    }

    @Test
    void ofAnAnswerThatIsLongOnlyTheBeginningIsRead() {
        WebhookSender sender = sender(server.hook(WebhookFormat.JSON, "/hook", ""), 30_000);
        server.next(exchange -> reply(exchange, 200, "x".repeat(1 << 20)));
        sender.offer(alarm("a"));

        await().atMost(PATIENCE).until(() -> totals.counts().sent() == 1);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void whatHasNoRoomWhileAWebHookHangsIsDroppedCountedAndReported() throws Exception {
        try (ServerSocket silent = new ServerSocket(0)) {
            Webhook hook = new Webhook(
                    WebhookFormat.JSON, new Secret("http://127.0.0.1:" + silent.getLocalPort()), new Secret(""));
            WebhookSender hanging = sender(hook, 60_000);
            for (int i = 0; i < 1000; i++) {
                hanging.offer(alarm("i" + i));
            }
            assertThat(totals.counts().dropped())
                    .isBetween(
                            1000L - WebhookSender.QUEUE - WebhookSender.MAX_IN_A_MESSAGE, 1000L - WebhookSender.QUEUE);
        }
    }

    @Test
    void theNumberOfDroppedAlarmsIsInTheNextMessage() throws Exception {
        WebhookSender sender = sender(server.hook(WebhookFormat.JSON, "/hook", ""), 60_000);
        CountDownLatch goesOn = new CountDownLatch(1);
        server.next(exchange -> {
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            reply(exchange, 200, "");
        });
        sender.offer(alarm("first"));
        await().atMost(PATIENCE).until(() -> server.requests().size() == 1);
        for (int i = 0; i < WebhookSender.QUEUE + 7; i++) {
            sender.offer(alarm("i" + i));
        }
        goesOn.countDown();

        await().atMost(PATIENCE).until(() -> totals.counts().sent() == WebhookSender.QUEUE + 1);
        assertThat(totals.counts().dropped()).isEqualTo(7);
        assertThat(JSON.readTree(server.requests().get(1).body())
                        .path("dropped")
                        .asInt())
                .isEqualTo(7);
    }

    private Alarms start(Webhook... hooks) {
        return Alarms.start(() -> standings, config(hooks), timer, SOON, Time.SYSTEM);
    }

    private static void end(Alarms alarms) {
        alarms.beginClose();
        alarms.awaitEnd(Duration.ofSeconds(30));
    }

    private WebhookSender sender(Webhook hook, int timeoutMillis) {
        return sender(hook, timeoutMillis, () -> "s1");
    }

    private WebhookSender sender(Webhook hook, int timeoutMillis, Supplier<String> name) {
        AlarmConfig config = new AlarmConfig(
                List.of(hook),
                "s1",
                Duration.ofMillis(timeoutMillis),
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ofHours(1),
                0);
        WebhookSender sender = new WebhookSender(1, hook, config, name, new HttpPost(), totals, SOON, Time.SYSTEM);
        senders.add(sender);
        return sender;
    }

    private static AlarmConfig config(Webhook... hooks) {
        return config(Duration.ofMillis(200), hooks);
    }

    private static AlarmConfig config(Duration gather, Webhook... hooks) {
        return new AlarmConfig(
                List.of(hooks),
                "s1",
                Duration.ofSeconds(10),
                Duration.ofSeconds(60),
                Duration.ofSeconds(300),
                gather,
                Duration.ofHours(1),
                3);
    }

    private static Alarm alarm(String destination) {
        return new Alarm(
                AlarmKind.FAILED,
                Alarm.Phase.RAISED,
                destination,
                "why",
                "look",
                Instant.EPOCH,
                Duration.ofSeconds(1),
                1);
    }

    private static InstanceProblems failed(String destination) {
        return new InstanceProblems(
                destination, List.of(new InstanceProblem(AlarmKind.FAILED, "", "look", Duration.ZERO)), null);
    }

    private static InstanceProblems calm(String destination) {
        return new InstanceProblems(destination, List.of(), "the instance runs and makes progress");
    }
}
