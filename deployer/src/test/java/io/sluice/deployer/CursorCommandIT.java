package io.sluice.deployer;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.deployer.command.CommandContext;
import io.sluice.deployer.command.SluiceCommand;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.store.cursor.file.FileCursorStore;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.CreateMode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An operator moves cursors that canal has left, in a file and in ZooKeeper. */
class CursorCommandIT {
    private static MySqlServer mysql;
    private static BinlogEnd afterOne;
    private static BinlogEnd afterThree;

    @TempDir
    Path home;

    private final Map<String, String> properties = new HashMap<>();
    private String output = "";

    @BeforeAll
    static void start() {
        mysql = MySqlServer.start(MySqlOptions.defaults().gtid());
        mysql.createReplicationUser("canal", "carry", AuthPlugin.CACHING_SHA2_PASSWORD);
        mysql.execute(
                "create schema shop", "create table shop.t (id int primary key)", "insert into shop.t values (1)");
        afterOne = mysql.binlogEnd();
        mysql.execute("insert into shop.t values (2)", "insert into shop.t values (3)");
        afterThree = mysql.binlogEnd();
    }

    @AfterAll
    static void stop() {
        mysql.close();
    }

    @BeforeEach
    void configure() throws IOException {
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("conf/shop"));
        Files.writeString(home.resolve("conf/canal.properties"), """
                canal.serverMode = kafka
                canal.destinations = shop
                canal.mq.topic = shop
                canal.instance.master.address = %s:%d
                canal.instance.dbUsername = canal
                canal.instance.dbPassword = carry
                kafka.bootstrap.servers = 127.0.0.1:9092
                """.formatted(mysql.host(), mysql.port()));
    }

    @Test
    void aCursorOfCanalIsShownMovedAndRestored() throws IOException {
        Path file = home.resolve("conf/shop/meta.dat");
        String canals =
                "{\"clientDatas\":[{\"clientIdentity\":{\"clientId\":1001,\"destination\":\"shop\",\"filter\":\"\"},"
                        + "\"cursor\":" + cursor(afterThree) + "}],\"destination\":\"shop\"}";
        Files.writeString(file, canals);

        assertThat(run("show", "shop")).isZero();
        assertThat(output).contains("client 1001: " + afterThree.file() + ":" + afterThree.offset(), "not running");

        String one = afterOne.file() + ":" + afterOne.offset();
        assertThat(run("rewind", "shop", "--to", one, "--dry-run")).isZero();
        assertThat(output).contains("sent again: 2 transactions with 2 row events", "nothing was changed: dry run");
        assertThat(Files.readString(file)).isEqualTo(canals);

        assertThat(run("rewind", "shop", "--to", one)).isZero();
        assertThat(output).contains("sent again: 2 transactions", "changed in " + file);
        assertThat(Files.readString(file)).contains("\"position\":" + afterOne.offset() + ",");

        assertThat(run("rewind", "shop", "--to", "newest")).isOne();
        assertThat(output).contains("would skip 2 transactions");
        assertThat(run("set", "shop", "--to", "newest", "--dry-run")).isZero();
        assertThat(output).contains("SKIPPED, never sent: 2 transactions");

        assertThat(run("restore", "shop")).isZero();
        assertThat(Files.readString(file)).isEqualTo(canals);
        assertThat(run("restore", "shop")).isZero();
        assertThat(Files.readString(file)).contains("\"position\":" + afterOne.offset() + ",");
    }

    /** A server numbers its files from 1 again after a reset, so that its first file does not tell that nothing was before. */
    @Test
    void aTimeBeforeTheOldestBinlogTellsWhatIsMissing() throws IOException {
        assertThat(run("set", "shop", "--to", "newest")).isZero();

        assertThat(run("rewind", "shop", "--time", "2020-10-25T02:30:00Z", "--dry-run"))
                .isZero();
        assertThat(output)
                .contains("sent again: ", "MISSING: the binlog begins only at 20")
                .contains("so what was changed from 2020-10-25T02:30:00Z until then is not sent");

        assertThat(run("rewind", "shop", "--time", Instant.now().toString(), "--dry-run"))
                .isZero();
        assertThat(output).doesNotContain("MISSING");
    }

    /** As after its folder was renamed: the cursor is that of the former name. */
    @Test
    void aRenamedInstanceKeepsItsPositionByTheCommandThatIsNamed() throws IOException {
        Path file = home.resolve("conf/shop/meta.dat");
        Files.writeString(
                file,
                "{\"clientDatas\":[{\"clientIdentity\":{\"clientId\":1001,\"destination\":\"store\",\"filter\":\"\"},"
                        + "\"cursor\":" + cursor(afterOne) + "}],\"destination\":\"store\"}");
        assertThat(run("show", "shop")).isOne();
        Matcher command =
                Pattern.compile("bin/sluice\\.sh cursor (set shop --to [^;]+);").matcher(output);
        assertThat(command.find()).as(output).isTrue();

        assertThat(run(command.group(1).split(" "))).isZero();
        assertThat(run("show", "shop")).isZero();
        assertThat(output).contains("client 1001: " + afterOne.file() + ":" + afterOne.offset());
    }

    /** As after a fail-over: the cursor is of another host than the first one, in whose binlog its position is between two other transactions. */
    @Test
    void aRenamedInstanceThatReadItsOtherHostContinuesAtItsTransactionsByTheCommandThatIsNamed() throws IOException {
        Path file = home.resolve("conf/shop/meta.dat");
        Files.writeString(
                file,
                "{\"clientDatas\":[{\"clientIdentity\":{\"clientId\":1001,\"destination\":\"store\",\"filter\":\"\"},"
                        + "\"cursor\":"
                        + cursor(afterThree).replace("\"gtid\":\"\"", "\"gtid\":\"" + afterOne.gtidSet() + "\"")
                        + "}],\"destination\":\"store\"}");
        assertThat(run("show", "shop")).isOne();
        Matcher command = Pattern.compile("bin/sluice\\.sh cursor set shop --gtid '([^']+)';")
                .matcher(output);
        assertThat(command.find()).as(output).isTrue();

        assertThat(run("set", "shop", "--gtid", command.group(1))).isZero();
        assertThat(run("show", "shop")).isZero();
        assertThat(output).contains("client 1001: " + afterOne.file() + ":" + afterOne.offset());
    }

    @Test
    void aMistakeOfAnotherInstanceIsANote() throws IOException {
        properties.put("canal.destinations", "shop,till");
        Files.createDirectories(home.resolve("conf/till"));
        Files.writeString(home.resolve("conf/till/instance.properties"), "canal.instance.parser.parallel = perhaps\n");

        assertThat(run("set", "shop", "--to", "oldest")).isZero();
        assertThat(output)
                .contains("note: another instance has a problem: ", "canal.instance.parser.parallel = perhaps");
    }

    /** All clients get the stream from the smallest cursor on. */
    @Test
    void aMoveAheadOfOneOfTwoClientsSkipsWhatIsBeforeTheOther() throws IOException {
        for (String client : List.of("7", "8")) {
            assertThat(run("set", "shop", "--to", afterOne.file() + ":" + afterOne.offset(), "--client", client))
                    .isZero();
        }

        assertThat(run("set", "shop", "--to", "newest", "--client", "7")).isZero();
        assertThat(output)
                .contains("the next start does not change", "the next start is at the smallest of: client ")
                .doesNotContain("SKIPPED");
        assertThat(run("set", "shop", "--to", "newest", "--client", "8")).isZero();
        assertThat(output).contains("SKIPPED, never sent: 2 transactions");
        assertThat(run("rewind", "shop", "--to", afterOne.file() + ":" + afterOne.offset(), "--client", "8"))
                .isZero();
        assertThat(output).contains("sent again: 2 transactions");
        assertThat(run("rewind", "shop", "--to", "newest", "--client", "7")).isZero();
        assertThat(run("rewind", "shop", "--to", "newest", "--client", "8")).isOne();
        assertThat(output).contains("would skip 2 transactions");
    }

    @Test
    void aCursorIsSetToAGtidSetAndToATime() throws IOException {
        String executed = String.valueOf(mysql.query("select @@global.gtid_executed"));
        assertThat(run("set", "shop", "--gtid", executed, "--client", "7")).isZero();
        assertThat(output).contains("there was no cursor to compare with", ", after " + executed);
        assertThat(run("set", "shop", "--time", "2001-01-01T00:00:00Z", "--client", "7"))
                .isZero();
        assertThat(output).contains("sent again: 7 transactions with 3 row events");

        assertThat(run("delete", "shop", "--client", "7")).isZero();
        assertThat(output).contains("the next start is at the configured position");
        assertThat(run("show", "shop")).isZero();
        assertThat(output).contains("no client has subscribed", "before the last change: client 7");
    }

    /** Whether the instance runs counts, not whether a server of this package does. */
    @Test
    void cursorsOfAnInstanceThatDoesNotRunAreChangedBesideAServerThatRuns() {
        properties.put("sluice.server.pid", "4711");
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        try (FileCursorStore open =
                FileCursorStore.open(home.resolve("conf"), "shop", timer, Duration.ofDays(1), Time.SYSTEM)) {
            open.subscribe(7, "");
            open.flush();
            for (String[] change : new String[][] {
                {"set", "shop", "--to", "oldest"}, {"delete", "shop", "--client", "7"}, {"restore", "shop"}
            }) {
                assertThat(run(change)).isOne();
                assertThat(output)
                        .contains("this process runs shop", "stop it first (bin/sluice.sh stop shop)", "(--restart)");
            }
            assertThat(run("show", "shop")).isZero();
            assertThat(output).contains("client 7", "running: this process");
        } finally {
            timer.shutdownNow();
        }

        assertThat(run("set", "shop", "--to", "oldest")).isZero();
        assertThat(run("delete", "shop", "--client", "7")).isZero();
        assertThat(run("restore", "shop")).isZero();
        assertThat(run("show", "shop")).isZero();
        assertThat(output).contains("client 7", "client 1001", "not running");
    }

    /** As on a file system without locks. */
    @Test
    void whereTheCursorFileCannotBeLockedAServerThatRunsCounts() throws IOException {
        Path lock = home.resolve("conf/shop/meta.dat.lock");
        Files.createSymbolicLink(lock, lock); // which cannot be opened
        properties.put("sluice.server.pid", "4711");

        assertThat(run("set", "shop", "--to", "oldest")).isOne();

        assertThat(output).contains("this server, process 4711, runs shop", "stop it first");
    }

    @Test
    void invalidArgumentsAreRejected() {
        assertThat(run("set", "shop", "--to", afterThree.file() + ":" + (afterThree.offset() - 5)))
                .isOne();
        assertThat(output).contains("is not between two transactions");
        assertThat(run("set", "till", "--to", "oldest")).isOne();
        assertThat(output).contains("there is no destination till; the configuration has shop");
        assertThat(run("set", "shop", "--time", "yesterday")).isOne();
        assertThat(output).contains("not a time: yesterday");
        assertThat(run("set", "shop")).isOne();
        assertThat(output).contains("set needs --to, --gtid or --time");
        assertThat(run("restore", "shop")).isOne();
        assertThat(output).contains("nothing was changed");
        assertThat(run("delete", "shop")).isOne();
        assertThat(output).contains("there is no client 1001");
    }

    @Test
    void aCursorInZooKeeperIsMovedUnlessAServerRuns() throws Exception {
        try (ZooKeeperNode node = ZooKeeperNode.start();
                CuratorFramework zooKeeper =
                        CuratorFrameworkFactory.newClient(node.connectString(), new RetryOneTime(10))) {
            zooKeeper.start();
            String path = "/otter/canal/destinations/shop";
            String canals = "{\"@type\":\"com.alibaba.otter.canal.protocol.position.LogPosition\","
                    + cursor(afterThree).substring(1);
            zooKeeper
                    .create()
                    .creatingParentsIfNeeded()
                    .forPath(path + "/1001/cursor", canals.getBytes(StandardCharsets.UTF_8));
            zooKeeper
                    .create()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(
                            path + "/running",
                            "{\"active\":true,\"address\":\"10.0.0.1:11111\"}".getBytes(StandardCharsets.UTF_8));
            properties.put("canal.zkServers", node.connectString());
            properties.put("canal.instance.global.spring.xml", "classpath:spring/default-instance.xml");
            properties.put("canal.instance.tsdb.url", "jdbc:mysql://db:3306/history");

            assertThat(run("show", "shop")).isZero();
            assertThat(output)
                    .contains(afterThree.file() + ":" + afterThree.offset(), "running: the server 10.0.0.1:11111");
            assertThat(run("set", "shop", "--to", "oldest", "--dry-run")).isZero();
            assertThat(run("set", "shop", "--to", "oldest")).isOne();
            assertThat(output)
                    .contains("the server 10.0.0.1:11111 runs shop", "stop it first on all servers")
                    .doesNotContain("--restart");

            zooKeeper.delete().forPath(path + "/running");
            assertThat(run("set", "shop", "--to", "oldest")).isZero();
            assertThat(node.text(path + "/1001/cursor"))
                    .startsWith("{\"@type\":\"com.alibaba.")
                    .contains("\"position\":4,");
            assertThat(node.text(path + "/running")).isNull();
            assertThat(run("restore", "shop")).isZero();
            assertThat(node.text(path + "/1001/cursor")).isEqualTo(canals);
            assertThat(run("delete", "shop")).isZero();
            assertThat(node.text(path + "/1001")).isNull();
        }
    }

    private static String cursor(BinlogEnd end) {
        return ("{\"identity\":{\"slaveId\":-1,\"sourceAddress\":{\"address\":\"localhost\",\"port\":%d}},\"postion\":"
                        + "{\"gtid\":\"\",\"included\":false,\"journalName\":\"%s\",\"position\":%d,\"serverId\":1,"
                        + "\"timestamp\":1700000000000}}")
                .formatted(mysql.port(), end.file(), end.offset());
    }

    private int run(String... arguments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        Inet4Address address = (Inet4Address) InetAddress.getLoopbackAddress();
        List<String> words = new ArrayList<>(List.of("cursor"));
        words.addAll(List.of(arguments));
        int code = SluiceCommand.run(
                words,
                new CommandContext(
                        home.resolve("conf/canal.properties"),
                        home.resolve("bin"),
                        home,
                        new Environment(properties, Map.of(), address, 2),
                        ProducerCheck.NONE,
                        mode -> Optional.empty(),
                        out,
                        out));
        output = bytes.toString(StandardCharsets.UTF_8);
        return code;
    }
}
