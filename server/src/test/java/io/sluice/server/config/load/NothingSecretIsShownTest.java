package io.sluice.server.config.load;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.key.Keys;
import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Warning;
import java.net.Inet4Address;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is wrong with a configuration: what is shown of it has no secret in it. */
class NothingSecretIsShownTest {
    private static final String MARKER = "Kq9vXz";

    /** Texts that are wrong in one way or the other, or right, for some key. */
    private static final List<String> SHAPES = List.of(
            MARKER,
            "db:3306" + MARKER,
            MARKER + ":3306",
            MARKER + ":99999",
            "root:" + MARKER + "@db:3306",
            "jdbc:mysql://root:" + MARKER + "@db:33x/history",
            "jdbc:mysql://db:3306/h?password=" + MARKER + "&sslMode=" + MARKER,
            "jdbc:mysql://db:3306/h?serverRSAPublicKeyFile=" + MARKER,
            "jdbc:h2:/" + MARKER + "\0;PASSWORD=" + MARKER,
            "http://root:" + MARKER + "@host/store.p12",
            "file:/" + MARKER + ".p12",
            "shop\\." + MARKER + ",(",
            MARKER + "\\..*, " + MARKER + "|" + MARKER + "x",
            "shop." + MARKER + "/id",
            MARKER + ":" + MARKER + "\\.$pk$",
            "${schema}_" + MARKER + "_${nothing",
            MARKER + " with spaces",
            "true " + MARKER,
            "a{1-" + MARKER + "}",
            "3e11fa47-71ca-11e1-9e33-c80aa9429562:" + MARKER,
            "earliest",
            "first line\n" + MARKER,
            "\ud83d\udd11" + MARKER);

    /** Their values are in the names of files. */
    private static final Set<String> NAMES_OF_FILES =
            Set.of("canal.destinations", "canal.destinations.expr", "canal.conf.dir");

    private static final Set<String> OF_THE_PORT = Set.of("canal.ip", "canal.port", "canal.user", "canal.passwd");

    /** Keys of producers, which only their connectors know. */
    private static final List<String> OF_PRODUCERS = List.of(
            "kafka.acks",
            "kafka.client.id",
            "kafka.sasl.jaas.config",
            "kafka.ssl.keystore.key",
            "kafka.sasl.oauthbearer.client.credentials.client.secret",
            "kafka.sasl.oauthbearer.assertion.private.key.passphrase",
            "rabbitmq.password",
            "rabbitmq.host",
            "rocketmq.namesrv.addr",
            "pulsarmq.roleToken",
            "stdout.file");

    /** Quotes the value of each key, of all others, and parts of them. */
    private static final ProducerCheck QUOTING = (mode, properties, problems) -> {
        properties.forEach((key, value) -> {
            problems.accept(key, "is '%s', and not %s".formatted(value, properties));
            problems.accept(key, "has '%s' in it".formatted(value.substring(value.length() / 2)));
            problems.accept("kafka.*", "Invalid value %s for configuration".formatted(value));
        });
        return Optional.empty();
    };

    @TempDir
    Path directory;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(directory);
        home.server(SERVER);
        home.instance("shop", SHOP);
    }

    static Stream<String> keys() {
        return Stream.concat(Keys.all().stream().map(Key::name), OF_PRODUCERS.stream())
                .filter(name -> !NAMES_OF_FILES.contains(name));
    }

    @ParameterizedTest
    @MethodSource("keys")
    void ofAKeyThatIsFilledFromOutside(String key) {
        for (int i = Math.floorMod(key.hashCode(), 3); i < SHAPES.size(); i += 3) { // all shapes, over the keys
            String shape = SHAPES.get(i);
            home.variables.put("VALUE", shape);
            home.variables.put(key, "${env:VALUE}");
            home.variables.putIfAbsent("canal.serverMode", modeOf(key));

            assertNothingIsShown(shape);

            home.variables.clear();
        }
    }

    /** One in which the key has a meaning. */
    private static String modeOf(String key) {
        if (key.startsWith("canal.tcp.") || OF_THE_PORT.contains(key)) {
            return ServerMode.TCP.spelling();
        }
        return Stream.of(ServerMode.values())
                .filter(mode -> key.startsWith(mode.spelling().toLowerCase(Locale.ROOT) + "."))
                .findFirst()
                .orElse(ServerMode.KAFKA)
                .spelling();
    }

    static IntStream seeds() {
        return IntStream.range(0, Integer.getInteger("sluice.seeds", 60));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void ofManyKeysAtATime(int seed) {
        Random random = new Random(seed);
        List<String> keys = new ArrayList<>(keys().toList());
        StringBuilder server =
                new StringBuilder(SERVER.replace("kafka\n", pick(random, List.of("kafka\n", "tcp\n", "stdout\n"))));
        StringBuilder instance = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String key = pick(random, keys);
            home.write("run/" + i, pick(random, SHAPES) + "\n");
            home.variables.put("VALUE_" + i, pick(random, SHAPES));
            String value = pick(random, List.of("", "x", "db:3306,"))
                    + pick(random, List.of("${file:../run/" + i + "}", "${env:VALUE_" + i + "}", "${mine." + i + "}"));
            instance.append("mine.%d = ${env:VALUE_%d}\nmine.used = ${mine.%d}${mine.used:}\n".formatted(i, i, i));
            (random.nextBoolean() ? server : instance)
                    .append(key)
                    .append(" = ")
                    .append(value)
                    .append('\n');
        }
        home.server(server.toString());
        home.instance("shop", instance + SHOP);

        assertNothingIsShown("seed " + seed);
    }

    /** Numbers are quoted in sentences about other keys, too. */
    @ParameterizedTest
    @MethodSource("keys")
    void ofNumbers(String key) {
        String number = "64738";
        home.variables.put("VALUE", number);
        home.variables.put(key, "${env:VALUE}");
        home.instance("till", SHOP);
        home.server(SERVER.replace("shop", "shop,till") + """
                canal.mq.onReject = deadLetter
                canal.instance.network.soTimeout = 5
                canal.mq.retry.pause.longest = 5
                """);

        assertThat(shown(QUOTING)).doesNotContain(number);
    }

    /** The marker is in every secret there is, and something is wrong beside each. */
    @Test
    void ofSecretsBesideWrongValues() throws Exception {
        StringBuilder secrets = new StringBuilder();
        List<String> names =
                new ArrayList<>(OF_PRODUCERS.stream().filter(Key::isSecret).toList());
        Keys.all().stream().filter(Key::isSecret).map(Key::name).forEach(names::add);
        for (String name : names) {
            secrets.append(name)
                    .append(" = ")
                    .append(MARKER)
                    .append(' ')
                    .append(MARKER)
                    .append('\n');
        }
        String urls = """
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history?user=x&password=%1$s
                canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                canal.instance.master.clientCertificateKeyStoreUrl = file:/etc/client.p12
                canal.zkServers = zk:2181
                canal.zookeeper.auth.user = x
                canal.zookeeper.tls.enable = true
                canal.zookeeper.tls.trustStore = trust.p12
                canal.zookeeper.tls.keyStore = key.p12
                canal.metrics.tls.keyStore = file:/etc/key.p12
                canal.metrics.tls.trustStore = file:/etc/trust.p12
                canal.tcp.tls.keyStore = file:/etc/key.p12
                canal.tcp.tls.trustStore = file:/etc/trust.p12
                canal.control.tls.keyStore = file:/etc/key.p12
                canal.control.tls.trustStore = file:/etc/trust.p12
                canal.admin.port = 0
                canal.admin.tls.keyStore = file:/etc/key.p12
                canal.admin.tls.trustStore = file:/etc/trust.p12
                rabbitmq.host = amqp://guest:%1$s@broker
                """.formatted(MARKER);
        assertThat(names).hasSizeGreaterThan(20);

        for (String mode : List.of("kafka", "tcp", "rabbitMQ")) {
            home.server(SERVER.replace("kafka\n", mode + "\n") + secrets + urls + "canal.ip = 127.0.0.1\n");
            assertThat(shown(mode.equals("tcp") ? ProducerCheck.NONE : QUOTING)).doesNotContain(MARKER);
            String withoutTheWrongOnes = secrets.toString()
                    .replaceAll("(canal\\.(?:admin\\.)?passwd) = .*", "$1 = " + "0".repeat(40))
                    .replaceAll("(canal\\.alarm\\.webhook\\.url) = .*", "$1 = https://h/" + MARKER);
            home.server(SERVER.replace("kafka\n", mode + "\n") + withoutTheWrongOnes + urls + "canal.ip = 127.0.0.1\n");
            assertThat(home.load().toString()).contains("shop").doesNotContain(MARKER);
            assertThat(home.load().server().metrics().toString()).doesNotContain(MARKER);
            assertThat(home.load().server().tcp().toString()).doesNotContain(MARKER);
            assertThat(home.load().server().control().toString())
                    .contains("key.p12")
                    .doesNotContain(MARKER);
            assertThat(home.load().server().alarms().toString())
                    .contains("format=JSON")
                    .doesNotContain(MARKER);
            assertThat(home.load().server().admin().toString())
                    .contains("key.p12")
                    .doesNotContain(MARKER);

            StringBuilder wrong = new StringBuilder();
            for (Key<?> key : Keys.all()) {
                if (!key.isSecret()
                        && !NAMES_OF_FILES.contains(key.name())
                        && !key.name().equals("canal.serverMode")) {
                    wrong.append(key.name()).append(" = root:").append(MARKER).append("@nonsense\n");
                }
            }
            home.server(SERVER.replace("kafka\n", mode + "\n") + secrets + wrong
                    + "canal.instance.enableDruid = true\ncanal.instance.tsdb.url = jdbc:mysql://root:" + MARKER
                    + "@db:33x/h\n");
            assertThat(shown(QUOTING)).contains("root:******@nonsense").doesNotContain(MARKER);
        }
    }

    @Test
    void ofTheEnvironment() {
        home.variables.put("TOKEN", MARKER);
        assertThat(new Environment(Map.of("a", MARKER), home.variables, here(), 1).toString())
                .doesNotContain(MARKER);
    }

    private static Inet4Address here() {
        return Environment.ofThisProcess().address();
    }

    private void assertNothingIsShown(String shape) {
        assertThat(shown(QUOTING)).as(shape).doesNotContain(MARKER);
    }

    /** All that an operator sees of a configuration, without the name of its directory, which has a random number in it. */
    private String shown(ProducerCheck producerCheck) {
        try {
            Configuration configuration = home.load(producerCheck);
            return String.join("\n", Warning.texts(configuration.warnings()));
        } catch (ConfigException e) {
            return (e + "\n" + e.problems()).replace(directory.toString(), "");
        }
    }

    private static <T> T pick(Random random, List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
