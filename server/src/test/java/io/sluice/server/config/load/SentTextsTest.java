package io.sluice.server.config.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.protocol.pattern.ExpensivePatternException;
import io.sluice.protocol.pattern.MatchBudget;
import io.sluice.protocol.time.Time;
import io.sluice.server.check.RouteCheck;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.sent.CheckedTexts;
import io.sluice.server.config.sent.GivenTexts;
import io.sluice.server.config.sent.TrialPart;
import io.sluice.server.config.sent.TrialTexts;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import io.sluice.testkit.junit.Seeded;
import java.net.Inet4Address;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts of a configuration that somebody sends to have them checked: nothing of this machine gets into what is answered. */
@Timeout(60)
class SentTextsTest {
    private static final String INSTANCE = """
            canal.instance.master.address = db:3306
            canal.mq.topic = shop
            """;

    @TempDir
    Path folder;

    private ConfigHome home;
    private Path secret;

    @BeforeEach
    void fill() {
        home = new ConfigHome(folder);
        secret = home.write("secret.txt", "hidden-in-a-file");
        home.variables.put("HIDDEN", "hidden-in-a-variable");
        home.variables.put("hidden.variable", "hidden-in-a-variable");
        home.systemProperties.put("hidden.property", "hidden-in-a-property");
        home.server("""
                canal.serverMode = kafka
                canal.destinations = shop
                kafka.bootstrap.servers = hidden-host:9092
                kafka.sasl.jaas.config = hidden-jaas
                canal.instance.dbPassword = hidden-password
                canal.mq.dynamicTopic = ${file:%s}
                canal.instance.tsdb.url = jdbc:mysql://root:hidden-url@db/x
                """.formatted(secret));
    }

    private CheckedTexts check(String server, String instance) {
        return reader().check(given(server, instance));
    }

    private TrialTexts forTrial(String server, String instance) {
        return reader().forTrial(given(server, instance));
    }

    private static GivenTexts given(String server, String instance) {
        return new GivenTexts(Optional.ofNullable(server), "shop", Optional.ofNullable(instance));
    }

    private ConfigReader reader() {
        return reader(Environment.ofThisProcess().address());
    }

    private ConfigReader reader(Inet4Address machine) {
        return new ConfigReader(
                home.serverFile(),
                folder.resolve("bin"),
                new Environment(home.systemProperties, home.variables, machine, 4),
                ProducerCheck.NONE,
                Time.SYSTEM);
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }

    @Test
    void aTextThatIsRightHasNoProblems() {
        CheckedTexts checked = check(null, INSTANCE);

        assertThat(texts(checked.problems())).isEmpty();
        assertThat(texts(checked.unread())).isEmpty();
        assertThat(checked.configuration().instances()).hasSize(1);
    }

    /** What a server elsewhere has for an address is not known where its texts are read. */
    @Test
    void aServerWithoutAnAddressIsToBeGivenOneIfItChecksTheText() {
        String server = """
                canal.serverMode = kafka
                kafka.bootstrap.servers = kafka:9092
                canal.zkServers = zk1:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                """;
        String warning = "no IPv4 address but 127.0.0.1";

        assertThat(warnings(reader(ConfigHome.address(127, 0, 0, 1))
                        .check(given(server, INSTANCE))
                        .configuration()))
                .anyMatch(text -> text.contains(warning));
        assertThat(warnings(reader(ConfigHome.address(10, 0, 0, 1))
                        .check(given(server, INSTANCE))
                        .configuration()))
                .noneMatch(text -> text.contains(warning));
        assertThat(warnings(new TextsElsewhere(server, "shop", Optional.of(INSTANCE), Map.of())
                        .read()
                        .configuration()))
                .noneMatch(text -> text.contains(warning));
    }

    private static List<String> warnings(Configuration configuration) {
        return configuration.warnings().stream().map(Warning::toString).toList();
    }

    @Test
    void problemsHaveTheirLineAndKey() {
        CheckedTexts checked = check(
                "canal.serverMode = kafak\n",
                INSTANCE + "\ncanal.instance.memory.buffer.size = many\ncanal.mq.tpoic = x\n");

        assertThat(texts(checked.problems()))
                .contains(
                        "canal.properties, line 1: canal.serverMode = kafak: must be one of tcp, kafka, rocketMQ, rabbitMQ,"
                                + " pulsarMQ, stdout")
                .anyMatch(text -> text.startsWith("instance.properties, line 4: canal.instance.memory.buffer.size"))
                .anyMatch(text -> text.startsWith("instance.properties, line 5: canal.mq.tpoic: there is no such key"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "${file:%s}",
                "${env:HIDDEN}",
                "${hidden.variable}",
                "${hidden.property}",
                "${canal.instance.dbPassword}",
                "${kafka.sasl.jaas.config}",
                "${kafka.bootstrap.servers}",
                "${canal.mq.dynamicTopic}",
                "${canal.instance.tsdb.url}",
                "${none:${file:%s}}"
            })
    void nothingOfThisMachineIsReadForIt(String reference) {
        String value = reference.formatted(secret);
        String text = INSTANCE.replace("= shop", "= x" + value) + "canal.instance.memory.buffer.size = " + value
                + "\ncanal.instance.filter.regex = (" + value + "\n";

        CheckedTexts checked = check(null, text);

        String answer = texts(checked.problems()).toString()
                + texts(checked.unread())
                + checked.configuration().warnings();
        assertThat(answer).doesNotContain("hidden-");
        checked.configuration()
                .instances()
                .forEach(instance -> assertThat(
                                new RouteCheck(checked.configuration().server(), instance)
                                        .of("a", "b", List.of())
                                        .object()
                                        .toString())
                        .doesNotContain("hidden-"));
    }

    @Test
    void whatNeedsAFileIsNotCheckedAndNoProblem() {
        CheckedTexts checked = check(
                null, INSTANCE.replace("db:3306", "${env:SOURCE}") + "canal.instance.dbPassword = ${file:/run/x}\n");

        assertThat(texts(checked.problems())).isEmpty();
        assertThat(checked.unread())
                .extracting(Problem::key)
                .containsExactlyInAnyOrder("canal.instance.master.address", "canal.instance.dbPassword");
        assertThat(checked.configuration().instances()).hasSize(1);
    }

    @Test
    void whetherThereIsAFileIsNotTold() {
        for (String file : List.of(secret.toString(), "/no/such/file")) {
            CheckedTexts checked = check(
                    null,
                    INSTANCE + "canal.instance.master.serverRSAPublicKeyFile = " + file
                            + "\ncanal.instance.tsdb.url = jdbc:mysql://db/x?serverRSAPublicKeyFile=" + file + "\n");

            assertThat(texts(checked.problems()).toString()).doesNotContain(file);
        }
    }

    /** A text may have keys of these names, and refers to them then. */
    @Test
    void aSettingThatIsHiddenIsNoPlaceholderThatTheTextCanFillIn() {
        CheckedTexts checked = check(
                null,
                INSTANCE + "file = " + secret + "\nenv = " + secret
                        + "\ncanal.instance.master.serverRSAPublicKeyFile = any\nany = ${file:x}${env:x}\n");

        assertThat(checked.unread())
                .extracting(Problem::key)
                .containsExactly("canal.instance.master.serverRSAPublicKeyFile");
        assertThat(texts(checked.problems()).toString()).doesNotContain("public key", secret.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            canal.instance.master.serverRSAPublicKeyFile             | SOURCE
            canal.instance.standby.serverRSAPublicKeyFile            | SOURCE
            canal.instance.master.trustCertificateKeyStoreUrl        | SOURCE
            canal.instance.standby.trustCertificateKeyStoreUrl       | SOURCE
            canal.instance.master.clientCertificateKeyStoreUrl       | SOURCE
            canal.instance.standby.clientCertificateKeyStoreUrl      | SOURCE
            canal.zookeeper.tls.trustStore                           | ZOOKEEPER
            canal.zookeeper.tls.keyStore                             | ZOOKEEPER
            """)
    void aTrialHasNoSettingThatNamesAFile(String key, TrialPart part) {
        String line = key + " = " + secret + "\n";
        boolean ofServer = part == TrialPart.ZOOKEEPER;
        TrialTexts texts = forTrial(
                "canal.serverMode = stdout\ncanal.zkServers = zk:2181\ncanal.zookeeper.tls.enable = true\n"
                        + "canal.instance.tsdb.url = jdbc:mysql://db/x\n" + (ofServer ? line : ""),
                INSTANCE + "canal.instance.master.sslMode = VERIFY_CA\ncanal.instance.standby.sslMode = VERIFY_CA\n"
                        + "canal.instance.standby.address = other:3306\n" + (ofServer ? "" : line));

        assertThat(texts(texts.checked().problems())).isEmpty();
        assertThat(texts.untried())
                .containsOnlyKeys(part)
                .containsEntry(part, key + " names a file, and none is opened for a text that was sent");
        assertThat(texts.checked().configuration().toString()).doesNotContain(secret.toString());
    }

    /** A new key that names a file has to be added to those that a trial hides, or here if it is read by no trial. */
    @Test
    void noOtherKeyNamesAFileThatATrialWouldOpen() {
        assertThat(Keys.all().stream()
                        .map(Key::name)
                        .filter(name -> name.matches("(?i).*(file|keystoreurl|keystore|truststore|url|copy|path)$"))
                        .filter(name -> !TextsElsewhere.namesFile(name)))
                .allMatch(name -> name.matches("canal\\.(control|metrics|tcp|admin|admin\\.manager)\\.tls\\..*")
                        || name.contains("kafka.kerberos.") // as all of a broker
                        || Set.of(
                                        "canal.instance.tsdb.url", // no trial opens the schema history
                                        "canal.admin.copy.file",
                                        "canal.alarm.webhook.url",
                                        "canal.control.access.file")
                                .contains(name));
    }

    @Test
    void whatIsMaskedIsNotTried() {
        TrialTexts texts = forTrial("""
                canal.serverMode = kafka
                kafka.bootstrap.servers = a:1
                kafka.sasl.jaas.config = x required password="******";
                """, INSTANCE + "canal.instance.dbPassword = ******\n");

        assertThat(texts.untried())
                .containsEntry(TrialPart.SOURCE, "canal.instance.dbPassword is masked, so its value is not known")
                .containsEntry(TrialPart.BROKER, "kafka.sasl.jaas.config is masked, so its value is not known");
    }

    @Test
    void ofTheServersOwnTextNothingSecretGetsIntoATrial() {
        TrialTexts texts = forTrial(null, INSTANCE);

        assertThat(texts.hasServer()).isFalse();
        assertThat(texts.untried())
                .containsOnlyKeys(TrialPart.SOURCE, TrialPart.BROKER)
                .hasEntrySatisfying(
                        TrialPart.SOURCE, why -> assertThat(why).startsWith("canal.instance.dbPassword needs a file"))
                .hasEntrySatisfying(
                        TrialPart.BROKER, why -> assertThat(why).startsWith("canal.mq.dynamicTopic needs a file"));
        assertThat(texts.checked().configuration().server().producerProperties().toString())
                .doesNotContain("hidden-");
        assertThat(forTrial(null, INSTANCE + "canal.instance.dbPassword = x\ncanal.mq.dynamicTopic = .*\n")
                        .untried())
                .isEmpty();
    }

    @Test
    void placeholdersThatMultiplyAreStopped() {
        StringBuilder text = new StringBuilder(INSTANCE.replace("= shop", "= ${k40}"));
        text.append("k0 = x\n");
        for (int i = 1; i <= 40; i++) {
            text.append("k%d = ${k%d}${k%d}\n".formatted(i, i - 1, i - 1));
        }

        assertThat(texts(check(null, text.toString()).problems()))
                .anyMatch(problem -> problem.contains("more than 1000 placeholders would be filled in"));
        String large = "k0 = " + "x".repeat(60_000) + "\n" + INSTANCE.replace("= shop", "= " + "${k0}".repeat(50));
        assertThat(texts(check(null, large).problems()))
                .anyMatch(problem -> problem.contains("stand for more than 1048576 characters"));
    }

    /** Parts of values, to be repeated. */
    static Stream<String> parts() {
        return Stream.of(
                "a:",
                "=a:",
                "//a:",
                "token",
                "token=",
                "a.",
                "a,",
                "a/",
                "(",
                "(a",
                "[",
                "${",
                "${a:",
                "${ ",
                " ",
                "a ",
                "@",
                "a:1;",
                "a:1,",
                ".*\\\\..*,",
                "\\\\",
                "1-1-1,",
                ":1-2",
                "1",
                "\"",
                "{1,2}",
                "%",
                "-",
                "+",
                "|");
    }

    /** Expressions for values must neither overflow the stack nor take the square of the length. A third of all keys has each, another one in each run. */
    @ParameterizedTest
    @MethodSource("parts")
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongValueOfAnyKeyEndsInAnAnswer(String repeated, @Seeded Random random) {
        List<Key<?>> keys = new ArrayList<>(Keys.all());
        Collections.shuffle(keys, random);
        requireAnswer(repeated, keys.subList(0, keys.size() / 3));
    }

    @Tag("thorough")
    @ParameterizedTest
    @MethodSource("parts")
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aLongValueOfAllKeysEndsInAnAnswer(String repeated) {
        requireAnswer(repeated, Keys.all());
    }

    private void requireAnswer(String repeated, Collection<? extends Key<?>> keys) {
        String value = "x" + repeated.repeat(20_000 / repeated.length()) + "x\n";
        StringBuilder server = new StringBuilder();
        StringBuilder instance = new StringBuilder();
        for (Key<?> key : keys) {
            (key.scope() == Key.Scope.SERVER ? server : instance)
                    .append(key.name())
                    .append(" = ")
                    .append(value);
        }

        assertThat(check(server.toString(), instance.toString()).problems()).isNotEmpty();
    }

    @Test
    void anyTextEndsInAnAnswer() {
        Random random = new Random(4711);
        String[] parts = {
            "canal.",
            "instance.",
            "mq.",
            "topic",
            "filter.regex",
            "=",
            " ",
            "\n",
            "\\",
            "${",
            "}",
            ":",
            "file",
            "env",
            "(",
            "*",
            "u12",
            "é",
            "master.address",
            "a:1",
            ",",
            "\u0000"
        };
        for (int round = 0; round < 300; round++) {
            StringBuilder text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            String server = random.nextBoolean() ? null : text.reverse().toString();

            CheckedTexts checked = check(server, text.toString());
            TrialTexts tried = forTrial(server, text.toString());

            assertThat(tried.checked().problems()).hasSameSizeAs(checked.problems());
            assertThat(checked.problems())
                    .as(text.toString())
                    .allSatisfy(problem -> assertThat(problem.complaint()).isNotBlank());
        }
    }

    @Test
    void placeholdersThatMultiplyAreProblems() {
        String instance = INSTANCE
                + "x.a = " + "a.b,".repeat(250) + "\n"
                + "canal.mq.partitionHash = " + "${x.a}".repeat(450) + "\n"
                + "canal.instance.filter.regex = " + "${x.a}".repeat(450) + "\n"
                + "canal.mq.messageKey = " + "${x.a}".repeat(450) + "\n";

        assertThat(check(null, instance).problems())
                .anySatisfy(problem -> assertThat(problem.complaint())
                        .contains("all placeholders of these texts together stand for more than 1048576 characters"));
    }

    @Test
    void placeholdersThatMultiplyToRulesExceedTheBudgetOfARequest() {
        String instance = INSTANCE
                + "x.a = " + "a,".repeat(1_000) + "\n"
                + "canal.mq.partitionHash = " + "${x.a}".repeat(90) + "\n"
                + "canal.mq.dynamicTopic = " + "${x.a}".repeat(90) + "\n"
                + "x.c = " + "a:b,".repeat(600) + "\n"
                + "canal.mq.messageKey = " + "${x.c}".repeat(150) + "\n";

        assertThatThrownBy(() -> MatchBudget.within(() -> check(null, instance)))
                .isInstanceOf(ExpensivePatternException.class);
    }

    @Test
    void aLongListThatSeveralKeysReferToIsNoProblem() {
        String instance = INSTANCE
                + "x.a = " + "shop.orders,".repeat(2_000) + "\n"
                + "canal.mq.partitionHash = ${x.a}\n"
                + "canal.mq.dynamicTopic = ${x.a}\n"
                + "canal.instance.filter.regex = ${x.a}\n";

        assertThat(MatchBudget.within(() -> check(null, instance)).problems()).isEmpty();
    }

    @Test
    void ofManyUnknownKeysAllAreProblemsAndForAHundredAKnownOneIsProposed() {
        StringBuilder instance = new StringBuilder(INSTANCE);
        for (int i = 0; i < 1_000; i++) {
            String twoCharacters = Integer.toString(36 + i, 36);
            instance.append("canal.instance.filter.regex").append(twoCharacters).append(" = 1\n");
        }

        List<Problem> problems = check(null, instance.toString()).problems();

        assertThat(problems).hasSize(1_000);
        assertThat(problems)
                .filteredOn(problem -> problem.complaint().contains("did you mean"))
                .hasSize(100);
    }

    private static String names(int count, String name, String separator) {
        return IntStream.range(0, count).mapToObj(name::formatted).collect(Collectors.joining(separator));
    }

    @Test
    void theManyRulesOfTheServersOwnFileDoNotCountForAShortText() {
        home.server("""
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.dynamicTopic = %s
                canal.instance.filter.regex = %s
                """.formatted(names(60_000, "topic%d:shop\\\\.t%<d", ","), names(2_000, "shop\\\\.t%d", ",")));

        assertThat(MatchBudget.within(() -> check(null, INSTANCE)).problems()).isEmpty();
    }
}
