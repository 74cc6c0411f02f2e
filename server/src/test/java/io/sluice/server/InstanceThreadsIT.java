package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.connector.api.producer.Connector;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads of a few instances, and of many: they share all but their readers and senders. */
@Timeout(600)
class InstanceThreadsIT {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String USER = "canal";
    private static final String PASSWORD = "all of one kind";

    /** Pools of all instances, and how many threads each has at most, whatever the number of instances. */
    private static final Map<String, Integer> SHARED = Map.of(
            "encoder",
            Runtime.getRuntime().availableProcessors(),
            "converter",
            Runtime.getRuntime().availableProcessors(),
            "cursor-flush",
            8,
            "timer",
            1,
            "metrics-io",
            1,
            "metrics-page",
            1);

    private static final Set<String> OF_JAVA = Set.of("system", "InnocuousThreadGroup");

    /** JDBC's, and those of the JDK's pools, which we do not use. */
    private static final Pattern OF_THE_TEST =
            Pattern.compile("^(mysql-cj|ForkJoinPool|awaitility|process reaper|junit)");

    private static MySqlServer mysql;
    private Path home;

    @BeforeAll
    static void startSource() {
        mysql = MySqlServer.start();
        mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
    }

    @AfterAll
    static void stopSource() {
        mysql.close();
    }

    @BeforeEach
    void makeHome() throws Exception {
        home = Folders.temporary("sluice-threads-");
    }

    @AfterEach
    void deleteHome() {
        Folders.delete(home);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10})
    @DisplayName("each instance has a reader and a sender, and whatever else there is belongs to all")
    void twoForEach(int instances) throws Exception {
        Set<Thread> before = threads();
        BinlogEnd start = mysql.rotateBinlog();
        String schema = "of_" + instances;
        mysql.execute(
                "create database " + schema,
                "create table " + schema + ".t (id int primary key)",
                "insert into " + schema + ".t values (1), (2), (3)");
        CommandedBroker sink = new CommandedBroker();
        SluiceServer server = start(instances, start, sink);
        try {
            await().atMost(PATIENCE).until(() -> sink.destinations().size() == instances);

            // The threads that watch the source, and those of the history, end when they are idle.
            await().atMost(PATIENCE).untilAsserted(() -> requireThreads(instances, names(before)));
        } finally {
            server.stop(Duration.ofSeconds(10));
        }
    }

    private static void requireThreads(int instances, Map<String, Integer> kinds) {
        assertThat(kinds.remove("i-reader")).as("readers").isEqualTo(instances);
        assertThat(kinds.remove("sender-i")).as("senders").isEqualTo(instances);
        kinds.remove("watch");
        assertThat(SHARED.keySet()).containsAll(kinds.keySet());
        kinds.forEach((kind, count) -> assertThat(count).as(kind).isLessThanOrEqualTo(SHARED.get(kind)));
    }

    private static Set<Thread> threads() {
        return Set.copyOf(Thread.getAllStackTraces().keySet());
    }

    /** The number of threads of each name, without the numbers in it, and without the JVM's and those from before the test. */
    private static Map<String, Integer> names(Set<Thread> before) {
        Map<String, Integer> names = new TreeMap<>();
        for (Thread thread : threads()) {
            ThreadGroup group = thread.getThreadGroup();
            if (!before.contains(thread) && group != null && !OF_JAVA.contains(group.getName())) {
                String name = thread.getName().replaceAll("-?[0-9]+", "");
                if (!OF_THE_TEST.matcher(name).find()) {
                    names.merge(name, 1, Integer::sum);
                }
            }
        }
        return names;
    }

    private SluiceServer start(int instances, BinlogEnd start, Connector sink) throws Exception {
        List<String> names =
                IntStream.range(0, instances).mapToObj(i -> "i" + i).toList();
        for (String name : names) {
            Map<String, String> instance = new LinkedHashMap<>();
            instance.put("canal.instance.master.address", mysql.host() + ":" + mysql.port());
            instance.put("canal.instance.dbUsername", USER);
            instance.put("canal.instance.dbPassword", PASSWORD);
            instance.put("canal.instance.master.journal.name", start.file());
            instance.put("canal.instance.master.position", Long.toString(start.offset()));
            instance.put("canal.mq.topic", name);
            write("conf/" + name + "/instance.properties", instance);
        }
        Map<String, String> server = new LinkedHashMap<>();
        server.put("canal.serverMode", "kafka");
        server.put("kafka.bootstrap.servers", "127.0.0.1:9");
        server.put("canal.destinations", String.join(",", names));
        server.put("canal.metrics.pull.port", Integer.toString(FreePorts.next()));
        write("conf/canal.properties", server);
        return new ServerFiles(home).start(sink);
    }

    private Path write(String file, Map<String, String> settings) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(
                path,
                settings.entrySet().stream()
                        .map(next -> next.getKey() + " = " + next.getValue() + "\n")
                        .collect(Collectors.joining()));
    }
}
