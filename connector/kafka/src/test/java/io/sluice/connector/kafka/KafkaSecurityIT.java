package io.sluice.connector.kafka;

import static io.sluice.testkit.time.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import io.sluice.connector.api.deliver.NumberedStream;
import io.sluice.connector.api.deliver.SenderConfig;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.store.ring.BatchLimit;
import io.sluice.testkit.kafka.KafkaOptions;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.log.LogLines;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kerby.kerberos.kerb.server.SimpleKdcServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS and logins against a real broker, and a real Kerberos server. */
@Timeout(600)
@ParameterizedClass
@EnumSource(names = {"BATCHES", "CLIENT"})
class KafkaSecurityIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String SECRET = "xyzzy-1973";
    private static final String WRONG_SECRET = "plugh-1976";
    private static final String REALM = "EXAMPLE.COM";

    /** Where Kafka may take tokens and their keys from. */
    private static final String ALLOWED_URLS = "org.apache.kafka.sasl.oauthbearer.allowed.urls";

    /** What logs the answers of a server of tokens. */
    private static final String TOKENS = "org.apache.kafka.common.security.oauthbearer";

    /** What logs them also when it is stopped. */
    private static final String REFRESHING = TOKENS + ".internals.expiring.ExpiringCredentialRefreshingLogin";

    @TempDir
    static Path folder;

    private static TestIdentity localhost;
    private static TestIdentity elsewhere;
    private static SimpleKdcServer kerberos;
    private static Path serviceKeys;
    private static Path ownKeys;
    private static KeyPair tokenKeys;
    private static int tokenPort;
    private static KafkaServer kafka;

    @AutoClose
    private final LogLines kafkas = LogLines.of("org.apache.kafka", Level.INFO); // it says a lot

    @AutoClose
    private final LogLines others = LogLines.ofAll();

    private final Sending sending;
    private MessageProducer producer;

    KafkaSecurityIT(Sending sending) {
        this.sending = sending;
    }

    @BeforeAll
    static void startServers() throws Exception {
        localhost = TestIdentity.of("localhost", folder);
        elsewhere = TestIdentity.of("elsewhere", folder);
        startKerberos();
        tokenKeys = TokenEndpoint.newKeys();
        TokenEndpoint.writeKey(tokenKeys, tokenKeyFile());
        tokenPort = FreePorts.next();
        System.setProperty(ALLOWED_URLS, tokenUrl());
        kafka = KafkaServer.start(options());
        kafka.createTopic("secured", 1);
        try (Admin admin = kafka.admin()) {
            admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                            "scrambler", new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), SECRET)))
                    .all()
                    .get();
            // The broker that is asked learns of it a moment later.
            await().until(() ->
                    admin.describeUserScramCredentials().users().get().contains("scrambler"));
        }
    }

    private static void startKerberos() throws Exception {
        kerberos = new SimpleKdcServer();
        kerberos.setKdcRealm(REALM);
        kerberos.setKdcHost("localhost");
        kerberos.setAllowUdp(false);
        kerberos.setKdcTcpPort(FreePorts.next());
        kerberos.setWorkDir(Files.createDirectory(folder.resolve("kdc")).toFile());
        kerberos.init();
        kerberos.start();
        serviceKeys = folder.resolve("kafka.keytab");
        ownKeys = folder.resolve("sluice.keytab");
        kerberos.createAndExportPrincipals(serviceKeys.toFile(), "kafka/localhost@" + REALM);
        kerberos.createAndExportPrincipals(ownKeys.toFile(), "sluice@" + REALM);
    }

    private static Path krb5File() {
        return folder.resolve("kdc/krb5.conf");
    }

    private static Path tokenKeyFile() {
        return folder.resolve("jwks.json");
    }

    private static String tokenUrl() {
        return "http://localhost:%d/token".formatted(tokenPort);
    }

    private static KafkaOptions options() {
        return KafkaOptions.defaults()
                .listener("TLS", "SSL")
                .listener("MISNAMED", "SSL")
                .listener("MUTUAL", "SSL")
                .listener("LOGIN", "SASL_SSL")
                .listener("TICKET", "SASL_PLAINTEXT")
                .listener("TOKEN", "SASL_PLAINTEXT")
                .with("ssl.keystore.type", "PKCS12")
                .with("ssl.keystore.location", localhost.store().toString())
                .with("ssl.keystore.password", TestIdentity.STORE_PASSWORD)
                .with("listener.name.misnamed.ssl.keystore.type", "PKCS12")
                .with(
                        "listener.name.misnamed.ssl.keystore.location",
                        elsewhere.store().toString())
                .with("listener.name.misnamed.ssl.keystore.password", TestIdentity.STORE_PASSWORD)
                .with("listener.name.mutual.ssl.client.auth", "required")
                .with("listener.name.mutual.ssl.truststore.type", "PEM")
                .with(
                        "listener.name.mutual.ssl.truststore.location",
                        elsewhere.certificate().toString())
                .with("listener.name.login.sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512")
                .with(
                        "listener.name.login.plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_plain=\"%s\";"
                                .formatted(SECRET))
                .with(
                        "listener.name.login.scram-sha-512.sasl.jaas.config",
                        "org.apache.kafka.common.security.scram.ScramLoginModule required;")
                .with("listener.name.ticket.sasl.enabled.mechanisms", "GSSAPI")
                .with("sasl.kerberos.service.name", "kafka")
                .with("listener.name.ticket.gssapi.sasl.jaas.config", login(serviceKeys, "kafka/localhost"))
                .with("listener.name.token.sasl.enabled.mechanisms", "OAUTHBEARER")
                .with(
                        "listener.name.token.oauthbearer.sasl.jaas.config",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;")
                .with(
                        "listener.name.token.oauthbearer.sasl.server.callback.handler.class",
                        "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler")
                .with(
                        "sasl.oauthbearer.jwks.endpoint.url",
                        tokenKeyFile().toUri().toString())
                .with("sasl.oauthbearer.expected.issuer", TokenEndpoint.ISSUER)
                .with("sasl.oauthbearer.expected.audience", TokenEndpoint.AUDIENCE)
                .jvmOption("-Djava.security.krb5.conf=" + krb5File())
                .jvmOption("-D" + ALLOWED_URLS + "=" + tokenKeyFile().toUri());
    }

    private static String login(Path keys, String name) {
        return ("com.sun.security.auth.module.Krb5LoginModule required useKeyTab=true storeKey=true keyTab=\"%s\""
                        + " principal=\"%s@%s\";")
                .formatted(keys, name, REALM);
    }

    @AfterAll
    static void stopServers() throws Exception {
        System.clearProperty("java.security.krb5.conf");
        System.clearProperty(ALLOWED_URLS);
        kafka.close();
        kerberos.stop();
    }

    @AfterEach
    void noSecretIsLogged() {
        producer.close(Duration.ofSeconds(5));
        assertThat(kafkas.texts())
                .as("Kafka lists its options")
                .anyMatch(line -> line.contains("ProducerConfig values"));
        assertThat(Stream.of(kafkas, others)
                        .flatMap(lines -> lines.events().stream().map(KafkaSecurityIT::textOf)))
                .noneMatch(line -> line.contains(SECRET)
                        || line.contains(WRONG_SECRET)
                        || line.contains(TestIdentity.STORE_PASSWORD));
    }

    /** Also of its exception. */
    private static String textOf(ILoggingEvent event) {
        return event.getFormattedMessage() + ThrowableProxyUtil.asString(event.getThrowableProxy());
    }

    @Test
    void trustsACertificateInAPemFile() {
        start("TLS", tls());

        assertDelivered("tls");
    }

    @Test
    void trustsAStoreWithAPassword() {
        start(
                "TLS",
                Map.of(
                        "kafka.security.protocol",
                        "SSL",
                        "kafka.ssl.truststore.type",
                        "PKCS12",
                        "kafka.ssl.truststore.location",
                        trustStore().toString(),
                        "kafka.ssl.truststore.password",
                        TestIdentity.STORE_PASSWORD));

        assertDelivered("tls by store");
    }

    private static Path trustStore() {
        try {
            Path store = folder.resolve("trust.p12");
            KeyStore trusted = KeyStore.getInstance("PKCS12");
            trusted.load(null, null);
            trusted.setCertificateEntry(
                    "broker",
                    KeyStore.getInstance(localhost.store().toFile(), TestIdentity.STORE_PASSWORD.toCharArray())
                            .getCertificate("it"));
            try (var out = Files.newOutputStream(store)) {
                trusted.store(out, TestIdentity.STORE_PASSWORD.toCharArray());
            }
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void showsItsOwnCertificate() {
        Map<String, String> options = new HashMap<>(tls());
        options.put("kafka.ssl.keystore.type", "PEM");
        options.put("kafka.ssl.keystore.location", elsewhere.certificateAndKey().toString());
        start("MUTUAL", options);

        assertDelivered("mutual tls");
    }

    /** One that has expired, and was renewed on the disk. */
    @Test
    void theNextConnectionShowsACertificateThatWasReplaced() throws Exception {
        Path own = folder.resolve("replaced.pem");
        Files.copy(localhost.certificateAndKey(), own, StandardCopyOption.REPLACE_EXISTING);
        Map<String, String> options = new HashMap<>(tls());
        options.put("kafka.ssl.keystore.type", "PEM");
        options.put("kafka.ssl.keystore.location", own.toString());
        start("MUTUAL", options);
        assertNotAdmitted("kafka.ssl.keystore");

        Files.copy(elsewhere.certificateAndKey(), own, StandardCopyOption.REPLACE_EXISTING);
        producer.restart();

        assertDelivered("renewed");
    }

    @Test
    void aBrokerWithAnotherHostsCertificateGetsNothing() {
        start(
                "MISNAMED",
                Map.of(
                        "kafka.security.protocol", "SSL",
                        "kafka.ssl.truststore.type", "PEM",
                        "kafka.ssl.truststore.location", elsewhere.certificate().toString()));

        assertNotAdmitted("kafka.ssl.truststore");
    }

    @Test
    void aBrokerThatIsNotTrustedGetsNothing() {
        start("TLS", Map.of("kafka.security.protocol", "SSL"));

        assertNotAdmitted("kafka.ssl.truststore");
    }

    @Test
    void logsInByAPassword() {
        start("LOGIN", plain(SECRET));

        assertDelivered("plain");
    }

    @Test
    void aWrongPasswordIsNamedWithTheKey() {
        start("LOGIN", plain(WRONG_SECRET));

        assertThat(assertNotAdmitted("kafka.sasl.jaas.config").mayPass()).isTrue();
    }

    @Test
    void aWrongPasswordOfTransactionsIsNamedToo() {
        Map<String, String> options = new HashMap<>(plain(WRONG_SECRET));
        options.put("kafka.transactional.id", "secured");
        start("LOGIN", options);

        assertNotAdmitted("kafka.sasl.jaas.config");
    }

    @Test
    void logsInByAChallenge() {
        start("LOGIN", byChallenge("SCRAM-SHA-512", "scrambler"));

        assertDelivered("scram");
    }

    @Test
    void logsInByATicket() throws Exception {
        Path jaas = Files.writeString(
                folder.resolve("jaas.conf"), "KafkaClient {\n%s\n};\n".formatted(login(ownKeys, "sluice")));
        start(
                "TICKET",
                Map.of(
                        "kafka.kerberos.enable", "true",
                        "kafka.kerberos.krb5.file", krb5File().toString(),
                        "kafka.kerberos.jaas.file", jaas.toString()));

        assertDelivered("kerberos");
    }

    /** Such as an account that its server does not have yet: the broker's answer is that of a wrong password. */
    @Test
    void aLoginThatIsRejectedFromTheStartIsTriedAgain() throws Exception {
        String user = "late-" + sending.suffix();
        start("LOGIN", byChallenge("SCRAM-SHA-512", user));

        try (NumberedStream stream = NumberedStream.start(
                new SenderConfig("logins", BatchLimit.entries(20), Duration.ofMillis(100), 32),
                number -> "secured",
                number -> 0,
                RejectionPolicy.SKIP,
                producer)) {
            await().until(() -> stream.status().failuresInARow() > 1);
            assertThat(stream.status().notAdmitted()).hasMessageContaining("kafka.sasl.jaas.config");
            try (Admin admin = kafka.admin()) {
                admin.alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                                user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), SECRET)))
                        .all()
                        .get();
            }

            stream.awaitMore(50);
            assertThat(stream.status().notAdmitted()).isNull();
        }
    }

    /** It was tried again and again, which may lock the account. */
    @Test
    void aLoginThatIsRejectedIsNotTriedAgainBeforeThereIsAMessage() {
        start("LOGIN", plain(WRONG_SECRET));
        assumeThat(sending).as("Kafka's own producer does it").isEqualTo(Sending.BATCHES);

        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("kafka-shop")));

        assertNotAdmitted("kafka.sasl.jaas.config");
        assertThatThrownBy(() -> producer.partitionsOf("secured")).hasCauseInstanceOf(NotAdmittedException.class);
    }

    @Test
    void aServerOfTokensThatIsDownIsWaitedFor() throws Exception {
        start("TOKEN", byToken());
        assertNotAdmitted("no login could be prepared");
        producer.restart();
        assertNotAdmitted("no login could be prepared");

        try (TokenEndpoint unused = TokenEndpoint.start(tokenPort, tokenKeys)) {
            producer.restart();
            assertDelivered("token " + sending);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 500})
    void aServerOfTokensThatQuotesTheSecretIsToldWithoutIt(int status) throws Exception {
        try (LogLines ofTokens = LogLines.of(TOKENS, Level.ERROR); // as conf/logback.xml has it
                TokenEndpoint unused = TokenEndpoint.startRejecting(tokenPort, status)) {
            start("TOKEN", byToken());
            assertThat(assertNotAdmitted("no login could be prepared"))
                    .hasMessageContaining("no such login: sluice:***");
            producer.restart();
            assertNotAdmitted("no such login: sluice:***");
            assertThat(ofTokens.texts()).isEmpty();
        }
    }

    /** Such as one whose secret was changed while the instance ran. */
    @Test
    void aTokenThatCannotBeRenewedIsNotToldWithTheSecret() throws Exception {
        Map<String, String> options = new HashMap<>(byToken());
        options.put("kafka.sasl.login.refresh.min.period.seconds", "0");
        options.put("kafka.sasl.login.refresh.buffer.seconds", "0");
        AtomicInteger rejected = new AtomicInteger();
        try (LogLines ofTokens = LogLines.of(TOKENS, Level.ERROR); // both as conf/logback.xml has them
                LogLines ofRefreshing = LogLines.of(REFRESHING, Level.OFF);
                TokenEndpoint unused = TokenEndpoint.startRevoking(tokenPort, tokenKeys, rejected)) {
            start("TOKEN", options);
            assertDelivered("short token " + sending);
            await().until(() -> rejected.get() > 0 && refreshers().allMatch(KafkaSecurityIT::isPausing));

            producer.close(Duration.ofSeconds(5));

            await().until(() -> refreshers().findAny().isEmpty());
            assertThat(ofTokens.texts()).isEmpty();
            assertThat(ofRefreshing.texts()).isEmpty();
        }
    }

    private static Stream<Thread> refreshers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("kafka-expiring-relogin-thread"));
    }

    private static boolean isPausing(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    @Test
    void aServerOfTokensThatIsDownIsWaitedForByTransactionsToo() throws Exception {
        Map<String, String> options = new HashMap<>(byToken());
        options.put("kafka.transactional.id", "tokens");
        start("TOKEN", options);
        assertNotAdmitted("no login could be prepared");
        assertThatThrownBy(() -> producer.partitionsOf("secured")).hasCauseInstanceOf(NotAdmittedException.class);
        producer.restart();
        assertNotAdmitted("no login could be prepared");

        try (TokenEndpoint unused = TokenEndpoint.start(tokenPort, tokenKeys)) {
            producer.restart();
            assertDelivered("token of transactions " + sending);
        }
    }

    @Test
    void aTokenThatTheBrokerDoesNotAcceptMayBeFollowedByOneThatItDoes() throws Exception {
        try (TokenEndpoint unused = TokenEndpoint.start(tokenPort, TokenEndpoint.newKeys())) {
            start("TOKEN", byToken());
            assertNotAdmitted("kafka.sasl.jaas.config");
        }

        try (TokenEndpoint unused = TokenEndpoint.start(tokenPort, tokenKeys)) {
            producer.restart();
            assertDelivered("second token " + sending);
        }
    }

    /** As when a program puts it there after the start. */
    @Test
    void aKeyTabThatIsMissingIsWaitedFor() throws Exception {
        Path late = folder.resolve("late-%s.keytab".formatted(sending.suffix()));
        Path jaas = Files.writeString(
                folder.resolve("jaas-%s.conf".formatted(sending.suffix())),
                "KafkaClient {\n%s\n};\n".formatted(login(late, "sluice")));
        start(
                "TICKET",
                Map.of(
                        "kafka.kerberos.enable", "true",
                        "kafka.kerberos.krb5.file", krb5File().toString(),
                        "kafka.kerberos.jaas.file", jaas.toString()));
        assertNotAdmitted("kafka.kerberos");

        Files.copy(ownKeys, late);
        producer.restart();

        assertDelivered("late key tab " + sending);
    }

    @Test
    void aMechanismThatTheBrokerDoesNotHaveNeedsAnOperator() {
        start("LOGIN", byChallenge("SCRAM-SHA-256", "scrambler"));

        assertThat(assertNotAdmitted("kafka.sasl.mechanism").mayPass()).isFalse();
    }

    private static Map<String, String> byToken() {
        return Map.of(
                "kafka.security.protocol",
                "SASL_PLAINTEXT",
                "kafka.sasl.mechanism",
                "OAUTHBEARER",
                "kafka.sasl.login.callback.handler.class",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler",
                "kafka.sasl.oauthbearer.token.endpoint.url",
                tokenUrl(),
                "kafka.sasl.login.retry.backoff.max.ms",
                "200",
                "kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required clientId=\"sluice\" clientSecret=\"%s\";"
                        .formatted(SECRET));
    }

    private static Map<String, String> tls() {
        return Map.of(
                "kafka.security.protocol", "SSL",
                "kafka.ssl.truststore.type", "PEM",
                "kafka.ssl.truststore.location", localhost.certificate().toString());
    }

    private static Map<String, String> byChallenge(String mechanism, String user) {
        Map<String, String> options = new HashMap<>(tls());
        options.put("kafka.security.protocol", "SASL_SSL");
        options.put("kafka.sasl.mechanism", mechanism);
        options.put(
                "kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\" password=\"%s\";"
                        .formatted(user, SECRET));
        return options;
    }

    private static Map<String, String> plain(String password) {
        Map<String, String> options = new HashMap<>(tls());
        options.put("kafka.security.protocol", "SASL_SSL");
        options.put("kafka.sasl.mechanism", "PLAIN");
        options.put(
                "kafka.sasl.jaas.config",
                "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"plain\" password=\"%s\";"
                        .formatted(password));
        return options;
    }

    private void start(String listener, Map<String, String> options) {
        Map<String, String> properties = new HashMap<>(sending.options());
        properties.putAll(options);
        properties.put("kafka.bootstrap.servers", kafka.bootstrapServers(listener));
        producer = new KafkaConnector().configure(properties).create(new ProducerContext("shop", Ownership.SOLE));
    }

    private void assertDelivered(String text) {
        Answer answer = Answer.to(producer, "secured", 0, text);
        assertThat(answer.kind()).as(String.valueOf(answer.cause())).isNull();
        assertThat(kafka.reader().readToEnd("secured", TIMEOUT))
                .extracting(next -> new String(next.value(), StandardCharsets.UTF_8))
                .contains(text);
    }

    private NotAdmittedException assertNotAdmitted(String key) {
        Answer answer = Answer.to(producer, "secured", 0, "secret");
        assertThat(answer.kind()).as(String.valueOf(answer.cause())).isEqualTo(FailureKind.BROKEN);
        assertThat(answer.cause()).isInstanceOf(NotAdmittedException.class);
        assertThat(answer.cause()).hasMessageContaining(key);
        for (Throwable cause = answer.cause(); cause != null; cause = cause.getCause()) {
            assertThat(String.valueOf(cause)).doesNotContain(WRONG_SECRET, SECRET);
        }
        return (NotAdmittedException) answer.cause();
    }
}
