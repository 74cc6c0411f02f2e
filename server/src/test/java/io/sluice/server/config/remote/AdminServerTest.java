package io.sluice.server.config.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.text.Secret;
import io.sluice.testkit.canal.PolledAdmin;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of an admin server, and what becomes of its answers. */
@Timeout(60)
class AdminServerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final PolledAdmin fake = PolledAdmin.start();

    @BeforeEach
    void fill() {
        fake.server("canal.serverMode = kafka\n# 中文\n");
        fake.instance("shop", "canal.mq.topic = \"shop\"\n");
        fake.instance("till", "canal.mq.topic = till\\\\x\n");
    }

    @AfterEach
    void close() {
        fake.close();
    }

    @Test
    void asksByTheContractAndSaysWhatItKnows() throws Exception {
        AdminServer admin = admin(config(true));

        RemoteTexts texts = admin.ask();

        assertThat(texts.server()).isEqualTo("canal.serverMode = kafka\n# 中文\n");
        assertThat(texts.instances())
                .containsExactly(
                        Map.entry("shop", "canal.mq.topic = \"shop\"\n"),
                        Map.entry("till", "canal.mq.topic = till\\\\x\n"));
        assertThat(fake.questions())
                .startsWith(
                        "/api/v1/config/server_polling?ip=10.0.0.7&port=11110&md5=&register=1&cluster=a%20cluster&name=host%26one",
                        "/api/v1/config/instances_polling?md5=&ip=10.0.0.7&port=11110");
        assertThat(fake.questions().subList(2, 4))
                .containsExactlyInAnyOrder(
                        "/api/v1/config/instance_polling/shop?md5=", "/api/v1/config/instance_polling/till?md5=");

        RemoteTexts again = admin.ask();

        assertThat(again).isEqualTo(texts);
        assertThat(fake.questions().subList(4, 6))
                .containsExactly(
                        "/api/v1/config/server_polling?ip=10.0.0.7&port=11110&md5=" + AdminServer.digest(texts.server())
                                + "&register=1&cluster=a%20cluster&name=host%26one",
                        "/api/v1/config/instances_polling?md5=&ip=10.0.0.7&port=11110");
        assertThat(fake.questions().subList(6, 8))
                .containsExactlyInAnyOrder(
                        "/api/v1/config/instance_polling/shop?md5=" + AdminServer.digest("canal.mq.topic = \"shop\"\n"),
                        "/api/v1/config/instance_polling/till?md5="
                                + AdminServer.digest("canal.mq.topic = till\\\\x\n"));
    }

    @Test
    void theDigestIsThatOfTheContract() {
        assertThat(AdminServer.digest("hello")).isEqualTo("5d41402abc4b2a76b9719d911017c592");
    }

    @Test
    void takesWhatHasChangedWasAddedAndWasRemoved() throws Exception {
        AdminServer admin = admin(config(false));
        admin.ask();
        fake.server("canal.serverMode = tcp\n");
        fake.instance("till", "canal.mq.topic = other\n");
        fake.instance("new", "a = b\n");
        fake.remove("shop");

        RemoteTexts texts = admin.ask();

        assertThat(texts.server()).isEqualTo("canal.serverMode = tcp\n");
        assertThat(texts.instances()).containsOnlyKeys("till", "new").containsEntry("till", "canal.mq.topic = other\n");
        fake.remove("till");
        fake.remove("new");
        assertThat(admin.ask().instances()).isEmpty();
    }

    /** As one whose database is new. */
    @Test
    void anEmptyListOfOneThatDoesNotKnowTheServerAnyMoreStopsNothing() throws Exception {
        AdminServer admin = admin(config(false));
        RemoteTexts texts = admin.ask();
        fake.forget();
        assertThat(admin.ask()).as("which also says that nothing has changed").isEqualTo(texts);
        fake.remove("shop");
        fake.remove("till");

        AdminException failure = catchThrowableOfType(AdminException.class, admin::ask);

        assertThat(failure)
                .hasMessageContaining("does not know the server 10.0.0.7")
                .matches(e -> !e.isRefusal());
        assertThat(fake.questions()).last().asString().contains("server_polling", "md5=&register=0");
    }

    /** One after the other would take longer than commands wait. */
    @Test
    void itIsAskedForTheTextsOfEightInstancesAtTheSameTime() throws Exception {
        for (int i = 0; i < 20; i++) {
            fake.instance("i" + i, "canal.mq.topic = i" + i + "\n");
        }
        CountDownLatch eight = new CountDownLatch(8);
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        fake.before(question -> {
            if (question.getPath().contains("instance_polling")) {
                most.accumulateAndGet(asked.incrementAndGet(), Math::max);
                eight.countDown();
                eight.await();
                asked.decrementAndGet();
            }
        });

        Map<String, String> texts = admin(config(false)).ask().instances();

        assertThat(texts.keySet()).startsWith("shop", "till", "i0", "i1").endsWith("i18", "i19");
        assertThat(texts).hasSize(22).containsEntry("i13", "canal.mq.topic = i13\n");
        assertThat(most).hasValueLessThanOrEqualTo(8);
    }

    /** As one with one processor, or one connection to its database. */
    @Test
    void aServerThatWorksOnOneRequestAtATimeHasTheLimitForEachOfThem() throws Exception {
        for (int i = 0; i < 6; i++) {
            fake.instance("i" + i, "canal.mq.topic = i" + i + "\n");
        }
        ReentrantLock one = new ReentrantLock(true);
        fake.before(question -> {
            one.lock();
            try {
                Thread.sleep(700); // all together take longer than the limit
            } finally {
                one.unlock();
            }
        });

        assertThat(new AdminServer(config(false), Duration.ofSeconds(4)).ask().instances())
                .hasSize(8);
    }

    @Test
    void anInstanceWithoutATextIsAFailureOfThatOneOnly() throws Exception {
        fake.instance("empty", null);

        RemoteTexts texts = admin(config(false)).ask();

        assertThat(texts.failures()).containsOnlyKeys("empty");
        assertThat(texts.instances()).containsOnlyKeys("shop", "till", "empty");
    }

    @Test
    void aServerThatIsNotKnownIsRegisteredOnlyIfItAsksForIt() throws Exception {
        fake.forget();

        AdminException refused = failure(config(false));

        assertThat(refused.isRefusal()).isTrue();
        assertThat(refused)
                .hasMessageContainingAll("10.0.0.7", "11110", "canal.admin.register.auto = true", "cluster a cluster");
        assertThat(admin(config(true)).ask().instances()).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            200 | <html>a login page</html>                                    | not JSON
            200 | {"code":20000,"data":{"content":"x"}} trailing               | not JSON
            200 | []                                                           | not that of an admin server
            200 | {"data":null}                                                | not that of an admin server
            200 | {"code":50000,"message":"auth :admin is failed","data":null} | the error 50000: auth :admin is failed
            200 | {"code":99999999999,"message":"huge"}                        | the error 99999999999: huge
            200 | {"code":50014,"message":null}                                | the error 50014
            200 | {"code":20000,"message":null,"data":[1]}                     | no content that is a text
            200 | {"code":20000,"message":null,"data":{"content":{"a":1}}}     | no content that is a text
            200 | {"code":20000,"message":null,"data":{"content":""}}          | is empty
            404 | {}                                                           | HTTP status 404
            500 | {}                                                           | HTTP status 500
            """)
    void whatIsNoAnswerOfTheContractIsSaid(int status, String body, String reason) {
        fake.answerBy(status, body.getBytes(StandardCharsets.UTF_8));

        assertThat(failure(config(false)))
                .hasMessageContaining("the admin server http://" + fake.address() + " gave no configuration")
                .hasMessageContaining(reason);
    }

    @Test
    void aMessageOfTheOtherServerIsOneLineAndNotLongAndHasNoPassword() {
        fake.answerBy(
                200,
                ("{\"code\":50000,\"message\":\"one\\nERROR two " + PolledAdmin.PASSWORD + "x".repeat(5_000) + "\"}")
                        .getBytes(StandardCharsets.UTF_8));

        String message = failure(config(false)).getMessage();

        assertThat(message)
                .contains("one ERROR two")
                .doesNotContain("\n", PolledAdmin.PASSWORD)
                .hasSizeLessThan(600);
    }

    @Test
    void aRedirectionIsNotFollowed() {
        try (PolledAdmin other = PolledAdmin.start()) {
            fake.fail(question -> {
                question.getResponseHeaders().set("Location", "http://" + other.address() + "/elsewhere");
                PolledAdmin.send(question, 302, new byte[0]);
            });

            assertThat(failure(config(false))).hasMessageContainingAll("redirects to", "/elsewhere");
            assertThat(other.questions()).isEmpty();
        }
    }

    @Test
    void anAnswerThatIsTooLargeIsNotReadToItsEnd() {
        fake.fail(question -> {
            question.sendResponseHeaders(200, 0);
            byte[] piece = new byte[1 << 16];
            for (int i = 0; i < 1 << 14; i++) {
                question.getResponseBody().write(piece); // fails when the other side is gone
            }
        });

        assertThat(failure(config(false))).hasMessageContaining("more than 4194304 bytes");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAnswerThatDoesNotComeOrDoesNotEndIsGivenUp(boolean begins) throws Exception {
        fake.fail(question -> {
            if (begins) {
                question.sendResponseHeaders(200, 100);
                question.getResponseBody().write('{');
                question.getResponseBody().flush();
            }
        });
        AdminServer admin = new AdminServer(config(false), Duration.ofMillis(300));

        assertThat(catchThrowableOfType(AdminException.class, admin::ask))
                .hasMessageContaining("does not answer within 300 ms");
    }

    @Test
    void whatWasKnownIsStillKnownAfterAFailure() throws Exception {
        AdminServer admin = admin(config(false));
        RemoteTexts texts = admin.ask();
        fake.goDown();

        AdminException down = catchThrowableOfType(AdminException.class, admin::ask);

        assertThat(down).hasMessageContaining("no connection is possible");
        assertThat(down.isRefusal()).isFalse();
        fake.comeBack();
        assertThat(admin.ask()).isEqualTo(texts);
    }

    @Test
    void aHostThatThereIsNotAndATrustStoreThatThereIsNotAreSaid() {
        ManagerConfig elsewhere = config(URI.create("http://no-such-host.invalid:8089"), Optional.empty());

        assertThat(failure(elsewhere)).hasMessageContaining("no such host");
        assertThat(catchThrowableOfType(
                        IOException.class,
                        () -> new AdminServer(config(
                                URI.create("https://127.0.0.1:8089"),
                                Optional.of(new KeyStoreFile("PEM", "/no/such/file.pem", ""))))))
                .hasMessageContaining("/no/such/file.pem");
    }

    @Test
    void whateverIsAnsweredEndsInTextsOrInOneKindOfFailure() throws Exception {
        Random random = new Random(20_260_301);
        byte[] right = "{\"code\":20000,\"message\":null,\"data\":{\"content\":\"shop,till\",\"status\":\"1\"}}"
                .getBytes(StandardCharsets.UTF_8);
        int read = 0;
        for (int round = 0; round < 2_000; round++) {
            byte[] body = right.clone();
            for (int i = random.nextInt(4); i > 0; i--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            if (random.nextInt(4) == 0) {
                body = Arrays.copyOf(body, random.nextInt(body.length));
            }
            try {
                assertThat(Envelope.read(body)).isNotNull();
                read++;
            } catch (AdminException e) {
                assertThat(e.getMessage()).isNotBlank().doesNotContain("\n");
            }
        }
        assertThat(read).isPositive();
        assertThat(catchThrowableOfType(
                        AdminException.class,
                        () -> Envelope.read("[".repeat(100_000).getBytes(StandardCharsets.UTF_8))))
                .hasMessageContaining("not JSON");
    }

    private AdminException failure(ManagerConfig config) {
        return catchThrowableOfType(AdminException.class, () -> admin(config).ask());
    }

    private static AdminServer admin(ManagerConfig config) throws IOException {
        return new AdminServer(config, LIMIT);
    }

    private ManagerConfig config(boolean register) {
        ManagerConfig config = config(URI.create("http://" + fake.address()), Optional.empty());
        return register ? config : config.withoutRegistration();
    }

    @Test
    void onlyHttpToAnotherMachineIsPlainText() {
        assertThat(Stream.of("http://127.0.0.1:8089", "http://localhost:8089", "http://[::1]:8089", "https://10.0.0.1"))
                .noneMatch(
                        address -> config(URI.create(address), Optional.empty()).isPlainText());
        assertThat(Stream.of("http://10.0.0.1:8089", "http://admin", "http://127.evil.example:8089"))
                .allMatch(
                        address -> config(URI.create(address), Optional.empty()).isPlainText());
    }

    private static ManagerConfig config(URI address, Optional<KeyStoreFile> trust) {
        return new ManagerConfig(
                address,
                PolledAdmin.USER,
                new Secret(PolledAdmin.PASSWORD),
                "10.0.0.7",
                11110,
                true,
                "a cluster",
                "host&one",
                trust,
                Duration.ZERO,
                List.of(),
                Optional.empty());
    }
}
