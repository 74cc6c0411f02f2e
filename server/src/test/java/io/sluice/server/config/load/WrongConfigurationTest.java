package io.sluice.server.config.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.read.ProducerCheck;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Each kind of mistake gives all of its problems, with file and line, alone and among all others. */
class WrongConfigurationTest {
    /**
     * A mistake.
     *
     * @param lines what is added to a file that is right otherwise; a key that is in it already is replaced
     * @param problems how the problems begin, {@code key = value: complaint} for the line of that key, or {@code key: complaint} for the
     *     file as a whole; {@code key =: complaint} for the line of a key whose value is not shown, and {@code =: complaint} for the first line
     */
    private record Mistake(List<String> lines, List<String> problems) {
        /** A line that is wrong, without its key, which the problem names. */
        static Mistake of(String line, String complaint) {
            return new Mistake(List.of(line), List.of(line + ": " + complaint));
        }

        static Mistake of(List<String> lines, String... problems) {
            return new Mistake(lines, List.of(problems));
        }

        @Override
        public String toString() {
            return String.join(" | ", lines);
        }

        Set<String> keys() {
            return lines.stream().map(WrongConfigurationTest::keyOf).collect(Collectors.toSet());
        }
    }

    private static final List<String> SERVER = ConfigHome.SERVER.lines().toList();

    /** Mistakes in the server's file, each with other keys. */
    static final List<Mistake> OF_THE_SERVER = List.of(
            Mistake.of("canal.port = 70000", "must be a whole number from 0 to 65535"),
            Mistake.of("canal.mq.flatMessage = yes", "must be true or false"),
            Mistake.of("canal.mq.format = morse", "must be one of debezium, flat, protobuf"),
            Mistake.of("canal.mq.canalBatchSize = 0", "must be a whole number from 1 to 1048576"),
            Mistake.of("canal.mq.canalGetTimeout = soon", "must be a whole number of milliseconds"),
            Mistake.of("canal.mq.build.thread.size = many", "must be a whole number from 1 to 1024"),
            Mistake.of("canal.mq.inflight.batches = 10001", "must be a whole number from 1 to 10000"),
            Mistake.of("canal.zkServers = zk 2181", "must be host:port of ZooKeeper's servers"),
            Mistake.of("canal.zookeeper.session.timeout = 0", "must be a whole number of milliseconds, at least 1"),
            Mistake.of("canal.zookeeper.acl = EVERYBODY", "must be one of OPEN, CREATOR"),
            Mistake.of("canal.metrics.pull.port = 65536", "must be a whole number, at most 65535"),
            Mistake.of("canal.metrics.tls.keyStore = server.p12", "must be a URL, like file:/path/to/store.p12"),
            Mistake.of("canal.metrics.tls.clientAuth = MAYBE", "must be one of NONE, WANT, NEED"),
            Mistake.of("canal.metrics.pull.ip = ${env:NOT_SET}", "the environment variable NOT_SET is not set"),
            Mistake.of("canal.tcp.max.connections = 0", "must be a whole number from 1 to 1000000"),
            Mistake.of("canal.health.stall.timeout = -1", "must be a whole number of milliseconds, at least 0"),
            Mistake.of(List.of("canal.prot = 11111"), "canal.prot =: there is no such key; did you mean canal.port?"),
            Mistake.of(List.of("mailto = ops"), "mailto =: there is no such key"),
            Mistake.of("canal.admin.manager = ftp://127.0.0.1", "must be host:port, or a URL"),
            Mistake.of("canal.socketChannel = pigeon", "must be one of bio, netty"),
            Mistake.of("canal.instance.global.mode = manager", "needs canal.admin.manager"),
            Mistake.of("canal.instance.global.lazy = perhaps", "must be true or false"),
            Mistake.of(
                    "canal.instance.global.spring.xml = classpath:spring/group-instance.xml",
                    "several sources in one instance have no common position to continue from"),
            Mistake.of("kafka.client.id = ${file:/missing/id}", "there is no file /missing/id: create it"),
            Mistake.of("kafka.acks = some", "is wrong"),
            Mistake.of("canal.mq.batchSize = some", "is wrong"),
            Mistake.of("canal.mq.kafka.kerberos.enable = ture", "must be true or false"));

    /** Mistakes in an instance's file. */
    static final List<Mistake> OF_AN_INSTANCE = List.of(
            Mistake.of(
                    List.of("canal.instance.master.address ="),
                    "canal.instance.master.address =: is required: the host:port of the MySQL server; canal.instance.master.address is blank here"),
            Mistake.of("canal.instance.master.address = db", "must be host:port or [ipv6]:port"),
            Mistake.of(
                    List.of("canal.instance.master.address = root:hunter2@db:3306"),
                    "canal.instance.master.address = root:******@db:3306: must be host:port or [ipv6]:port"),
            Mistake.of("canal.instance.master.address = ${env:NOT_SET}", "the environment variable NOT_SET is not set"),
            Mistake.of(
                    List.of("canal.mq.topic ="),
                    "canal.mq.topic =: is required: the topic that the changes go to; canal.mq.topic is blank here"),
            Mistake.of(
                    List.of("canal.mq.topic = ${topic}"),
                    "canal.mq.topic = ${topic}: is required: the topic that the changes go to; it is blank, since there is"
                            + " no key named topic"),
            Mistake.of(
                    List.of("canal.mq.topic = ${topic:}", "topic ="),
                    "canal.mq.topic = ${topic:}: is required: the topic that the changes go to; it is blank, since topic is"),
            Mistake.of(
                    List.of("canal.instance.master.address = ${env:NOT_SET:}"),
                    "canal.instance.master.address = ${env:NOT_SET:}: is required: the host:port of the MySQL server;"
                            + " canal.instance.master.address is blank here"),
            Mistake.of(
                    List.of(
                            "canal.instance.enableDruid = true",
                            "canal.instance.pwdPublicKey = aHVudGVyMg==",
                            "canal.instance.dbPassword ="),
                    "canal.instance.dbPassword =: is required by canal.instance.enableDruid"),
            Mistake.of("canal.mq.topic = no such topic", "the broker cannot have a topic named no such topic"),
            Mistake.of("canal.mq.partition = first", "must be a whole number, at least 0"),
            Mistake.of("canal.instance.memory.buffer.size = 1000", "must be a power of two from 1 to 16777216"),
            Mistake.of("canal.instance.memory.batch.mode = BYTES", "must be one of "),
            Mistake.of("canal.instance.gtidon = perhaps", "must be true or false"),
            Mistake.of(
                    "canal.instance.master.position = 12", "says nothing without canal.instance.master.journal.name"),
            Mistake.of(
                    List.of("canal.instance.master.journal.name = earliest", "canal.instance.master.position = 4"),
                    "canal.instance.master.journal.name = earliest: says where to begin: no other key may"),
            Mistake.of(
                    List.of("canal.instance.gtidon = true", "canal.instance.master.gtid = today"),
                    "canal.instance.master.gtid = today: "),
            Mistake.of("canal.instance.mysql.slaveId = 4294967296", "must be a whole number, at most "),
            Mistake.of("canal.instance.connectionCharset = klingon", "must be the name of a character set of Java"),
            Mistake.of(
                    "canal.instance.connectionCharset = windows-1253", "must be the name of a character set of Java"),
            Mistake.of("canal.instance.timezone = CST", "must be a time zone, like Asia/Shanghai"),
            Mistake.of("canal.instance.network.soTimeout = -1", "must be a whole number of seconds, at least 0"),
            Mistake.of(
                    "canal.instance.network.heartbeatPeriod = 30",
                    "must be shorter than canal.instance.network.soTimeout (30)"),
            Mistake.of("canal.instance.master.sslMode = ON", "must be one of DISABLED, PREFERRED, REQUIRED"),
            Mistake.of("canal.instance.master.trustCertificateKeyStoreUrl = trust.p12", "must be a URL"),
            Mistake.of(
                    List.of(
                            "canal.instance.master.clientCertificateKeyStoreUrl = file:/etc/client.p12",
                            "canal.instance.master.clientCertificateKeyStoreType = floppy"),
                    "canal.instance.master.clientCertificateKeyStoreUrl = file:/etc/client.p12: key store"
                            + " file:/etc/client.p12 has an unknown type: FLOPPY"),
            Mistake.of(
                    "canal.instance.master.serverRSAPublicKeyFile = /missing/key.pem",
                    "the server's public key in /missing/key.pem cannot be read"),
            Mistake.of("canal.instance.hosts = db2", "must be host:port or [ipv6]:port, several separated by commas"),
            Mistake.of(
                    "canal.instance.hosts = db2:3306,db2:3306",
                    "has an address that is among the instance's servers already: db2:3306"),
            Mistake.of("canal.instance.filter.regex = (shop", "this '(' is never closed, at column 1"),
            Mistake.of("canal.instance.filter.black.regex = " + ".*".repeat(45) + "x", "takes too long to match"),
            Mistake.of(
                    "canal.instance.filter.field = shop.users/id",
                    "an entry is schema.table:column/column, with one colon, at column 14"),
            Mistake.of("canal.instance.schema.onMismatch = ignore", "must be one of stop, skip"),
            Mistake.of("canal.instance.schema.reload = (shop", "this '(' is never closed"),
            Mistake.of("canal.instance.value.json.partial = maybe", "must be one of "),
            Mistake.of("canal.instance.xa = later", "must be one of prepared, committed"),
            Mistake.of("canal.instance.detecting.interval.time = 0", "must be a whole number of seconds, at least 1"),
            Mistake.of("canal.instance.tsdb.snapshot.interval = daily", "must be a whole number"),
            Mistake.of("canal.instance.tsdb.url = jdbc:oracle:thin", "must be jdbc:h2:<file>, jdbc:sqlite:<file> or"),
            Mistake.of(
                    List.of("canal.instance.tsdb.url = jdbc:mysql://root:hunter2@db:33x/h"),
                    "canal.instance.tsdb.url = jdbc:mysql://root:******@db:33x/h: must not have a user or a password"),
            Mistake.of("canal.file.flush.period = 0", "must be a whole number of milliseconds, at least 1"),
            Mistake.of("canal.instance.multi.stream.on = true", "PolarDB-X streams are not available"),
            Mistake.of(
                    List.of("canal.instance.dbPasword = hunter2"),
                    "canal.instance.dbPasword =: there is no such key; did you mean canal.instance.dbPassword?"),
            Mistake.of(
                    List.of("canal.instance.dbPassword = ${file:/missing/password}"),
                    "canal.instance.dbPassword = ******: there is no file /missing/password: create it"),
            Mistake.of("canal.instance.dbUsername = ${file:.}", "%s is a directory: name a file in it"),
            Mistake.of(
                    List.of("canal.instance.defaultDatabaseName = ${a}", "a = ${b}", "b = ${a}"),
                    "canal.instance.defaultDatabaseName = ${a}: its placeholders lead back to ${a}"),
            Mistake.of(
                    List.of("canal.instance.enableDruid = true", "canal.instance.dbPassword = aHVudGVyMg=="),
                    "canal.instance.pwdPublicKey: is required by canal.instance.enableDruid"),
            Mistake.of(
                    List.of(
                            "canal.instance.enableDruid = true",
                            "canal.instance.dbPassword = aHVudGVyMg==",
                            "canal.instance.pwdPublicKey = aHVudGVyMg=="),
                    "canal.instance.pwdPublicKey = ******: is not an RSA public key"),
            Mistake.of(List.of("canal.mq.dynamicTopic = shop:"), "canal.mq.dynamicTopic = shop:: "),
            Mistake.of("canal.mq.partitionHash = shop.(:id", "this '(' is never closed, in the rule shop.(:id"),
            Mistake.of("canal.mq.partitionsNum = none", "must be a whole number, at least 1"),
            Mistake.of("canal.mq.keyChange = drop", "must be one of keep, split"),
            Mistake.of(
                    List.of("canal.mq.onReject = ignore", "canal.mq.onTopicUnavailable = wait"),
                    "canal.mq.onReject = ignore: must be one of stop, skip, deadLetter",
                    "canal.mq.onTopicUnavailable = wait: must be one of retry, stop, skip, deadLetter"),
            Mistake.of(
                    List.of("canal.mq.onReject = deadLetter", "canal.mq.deadLetter.topic = a topic"),
                    "canal.mq.deadLetter.topic = a topic: dead letters cannot go to a topic named a topic: Kafka takes"),
            Mistake.of(
                    List.of("canal.mq.retry.pause.first = 11", "canal.mq.retry.pause.longest = 10"),
                    "canal.mq.retry.pause.longest = 10: canal.mq.retry.pause.first (11) must not be above"
                            + " canal.mq.retry.pause.longest (10)"),
            new Mistake(List.of("canal.mq.topicc = \\uXYZW"), List.of("=: the line cannot be read")));

    /** Mistakes that hide others, so that each is alone. */
    static final List<Mistake> ALONE = List.of(
            Mistake.of(List.of("canal.serverMode ="), "canal.serverMode =: is required, one of tcp, kafka"),
            Mistake.of("canal.serverMode = pigeon", "must be one of tcp, kafka, rocketMQ, rabbitMQ, pulsarMQ, stdout"),
            Mistake.of(
                    List.of("canal.destinations ="), "canal.destinations =: is required: the names of the instances"),
            Mistake.of("canal.destinations = shop,../till", "must be names separated by commas, of letters"),
            Mistake.of("canal.destinations.expr = shop{3-1}", "must be prefix{m-n} with m not above n"),
            Mistake.of("canal.auto.scan = sometimes", "must be true or false"),
            Mistake.of(List.of("kafka.bootstrap.servers ="), "kafka.bootstrap.servers =: is required: host:port"),
            Mistake.of(
                    List.of("kafka.bootstrap.servers =", "canal.mq.servers ="),
                    "kafka.bootstrap.servers =: is required: host:port of the brokers; kafka.bootstrap.servers is blank here"),
            Mistake.of(
                    List.of("kafka.bootstrap.servers =", "canal.mq.servers = ${env:NOT_SET}"),
                    "canal.mq.servers = ${env:NOT_SET}: the environment variable NOT_SET is not set"),
            Mistake.of(
                    List.of("canal.serverMode = tcp"),
                    "canal.ip: clients need no password on port 11111 of all addresses"),
            Mistake.of(
                    List.of("canal.serverMode = tcp", "canal.ip = ::1", "canal.metrics.pull.port = 11111"),
                    "canal.metrics.pull.port = 11111: is canal.port too"),
            Mistake.of(
                    List.of("canal.serverMode = tcp", "canal.ip = ::1", "canal.passwd = hunter2"),
                    "canal.passwd = ******: must be the 40 hexadecimal digits"),
            Mistake.of(
                    List.of("canal.serverMode = tcp", "canal.ip = ::1", "canal.user = canal"),
                    "canal.user = canal: needs canal.passwd"),
            Mistake.of(
                    List.of("canal.instance.shop.spring.xml = spring/default-instance.xml"),
                    "canal.zkServers: is required by the wiring default-instance.xml of shop"),
            Mistake.of(
                    List.of(
                            "canal.zkServers = zk:2181",
                            "canal.instance.global.spring.xml = spring/default-instance.xml"),
                    "canal.instance.tsdb.url: must be jdbc:mysql://"));

    /** Rejects some values of Kafka, as its connector does. */
    private static final ProducerCheck KAFKA = (mode, properties, problems) -> {
        for (String key : List.of("kafka.acks", "kafka.batch.size")) {
            if (properties.getOrDefault(key, "").equals("some")) {
                problems.accept(key, "is wrong");
            }
        }
        if (properties.getOrDefault("kafka.kerberos.enable", "").equals("ture")) {
            problems.accept("kafka.kerberos.enable", "must be true or false");
        }
        return Optional.empty();
    };

    @TempDir
    Path directory;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(directory);
    }

    @ParameterizedTest
    @FieldSource({"OF_THE_SERVER", "ALONE"})
    void ofTheServerAlone(Mistake mistake) {
        List<String> server = with(SERVER, mistake);
        home.server(String.join("\n", server));
        home.instance("shop", ConfigHome.SHOP);

        assertProblems(expected(home.serverFile(), server, mistake));
    }

    @ParameterizedTest
    @FieldSource("OF_AN_INSTANCE")
    void ofAnInstanceAlone(Mistake mistake) {
        List<String> instance = with(ConfigHome.SHOP.lines().toList(), mistake);
        home.server(ConfigHome.SERVER);
        home.instance("shop", String.join("\n", instance));

        assertProblems(expected(home.instanceFile("shop"), instance, mistake));
    }

    /** An instance for each mistake of one. */
    @Test
    void allTogether() {
        List<String> names = new ArrayList<>();
        List<String> server = new ArrayList<>(SERVER);
        OF_THE_SERVER.forEach(mistake -> server.addAll(mistake.lines()));
        List<String> expected = new ArrayList<>();
        OF_THE_SERVER.forEach(mistake -> expected.addAll(expected(home.serverFile(), server, mistake)));
        for (Mistake mistake : OF_AN_INSTANCE) {
            String name = "shop" + (names.size() + 1);
            names.add(name);
            List<String> instance = with(
                    List.of("canal.instance.master.address = %s:3306".formatted(name), "canal.mq.topic = " + name),
                    mistake);
            home.instance(name, String.join("\n", instance));
            expected.addAll(expected(home.instanceFile(name), instance, mistake));
        }
        server.set(1, "canal.destinations = " + String.join(",", names));
        home.server(String.join("\n", server));

        assertThat(OF_THE_SERVER.size() + OF_AN_INSTANCE.size()).isGreaterThan(70);
        assertProblems(expected);
    }

    /** What starts the server shows the beginning of a line. */
    @Test
    void whatIsWrongIsToldInFewWordsWhateverTheLengthOfTheValue() throws Exception {
        home.server(String.join("\n", SERVER));
        home.instance(
                "shop",
                "canal.instance.master.address = db:3306\ncanal.mq.topic = shop\ncanal.instance.filter.regex = "
                        + "shop\\\\..*,".repeat(2_000) + "(shop");

        assertThat(home.problems(KAFKA))
                .singleElement()
                .asString()
                .hasSizeLessThan(1_000)
                .contains("canal.instance.filter.regex = shop\\..*,shop", "…: ", "this '(' is never closed");
    }

    private void assertProblems(List<String> beginnings) {
        List<String> problems = home.problems(KAFKA);
        Set<String> missing = new LinkedHashSet<>(beginnings);
        missing.removeIf(beginning -> problems.stream().anyMatch(problem -> problem.startsWith(beginning)));
        List<String> others = problems.stream()
                .filter(problem -> beginnings.stream().noneMatch(problem::startsWith))
                .toList();

        assertThat(missing).as("missing; there are %s", others).isEmpty();
        assertThat(others).isEmpty();
        assertThat(problems).hasSameSizeAs(beginnings).doesNotHaveDuplicates();
        assertThat(problems.toString()).doesNotContain("hunter2");
    }

    private static List<String> with(List<String> lines, Mistake mistake) {
        Set<String> keys = mistake.keys();
        List<String> all = new ArrayList<>(lines);
        all.removeIf(line -> keys.contains(keyOf(line)));
        all.addAll(mistake.lines());
        return all;
    }

    private List<String> expected(Path file, List<String> lines, Mistake mistake) {
        Function<String, String> located = problem -> {
            String key = keyOf(problem);
            if (!problem.contains(" =") && !problem.startsWith("=")) {
                return file + ": " + problem;
            }
            int line = key.isEmpty()
                    ? lines.indexOf(mistake.lines().get(0))
                    : lines.stream().map(WrongConfigurationTest::keyOf).toList().lastIndexOf(key);
            String shown =
                    problem.startsWith("=: ") ? problem.substring(3) : problem.replaceFirst("^(\\S+) =: ", "$1: ");
            return file + ":" + (line + 1) + ": "
                    + shown.replace("%s", directory.resolve("bin").toString());
        };
        return mistake.problems().stream().map(located).toList();
    }

    private static String keyOf(String line) {
        return Arrays.asList(line.split("\\s*=", 2)).get(0).strip();
    }
}
