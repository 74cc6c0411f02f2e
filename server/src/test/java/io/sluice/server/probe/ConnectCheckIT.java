package io.sluice.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigLoader;
import io.sluice.server.config.read.ProducerCheck;
import io.sluice.server.config.text.Environment;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlOptions;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.mysql.ServerRelease;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.RunningZooKeeper;
import io.sluice.testkit.zookeeper.ZooKeeperRelease;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is found out about real sources of all releases, and about ZooKeeper. */
@Timeout(600)
class ConnectCheckIT {
    private static final String USER = "canal";
    private static final String PASSWORD = "carry them all";
    private static final long REPLICA_ID = 4711;

    private static MySqlServer mysql;

    @TempDir
    Path folder;

    private Time time = Time.SYSTEM;

    @BeforeAll
    static void start() {
        mysql = start(MySqlOptions.defaults().gtid().with("binlog-ignore-db", "unlogged"));
    }

    private static MySqlServer start(MySqlOptions options) {
        MySqlServer server = MySqlServer.start(options);
        boolean isOld = server.release().authPlugins().contains(AuthPlugin.MYSQL_NATIVE_PASSWORD);
        server.createReplicationUser(
                USER, PASSWORD, isOld ? AuthPlugin.MYSQL_NATIVE_PASSWORD : AuthPlugin.CACHING_SHA2_PASSWORD);
        server.execute("create database shop", "create table shop.orders (id int primary key)");
        return server;
    }

    @AfterAll
    static void stop() {
        mysql.close();
    }

    @ParameterizedTest
    @EnumSource
    void aSourceOfEachReleaseHasNoFailure(ServerRelease release) throws Exception {
        try (MySqlServer server = start(MySqlOptions.defaults().release(release))) {
            List<Finding> findings = source(server, List.of());

            assertThat(findings)
                    .extracting(Finding::verdict)
                    .as(findings.toString())
                    .doesNotContain(Verdict.FAILED, Verdict.WARNING);
            List<String> unknown = findings.stream()
                    .filter(finding -> finding.verdict() == Verdict.UNKNOWN)
                    .map(Finding::subject)
                    .toList();
            if (release.isMariaDb()) { // it shows these to administrators only
                assertThat(unknown).containsExactly("log_replica_updates", "replica id");
                assertThat(only(findings, "log_replica_updates").remedy())
                        .startsWith("grant slave monitor on *.* to 'canal'@");
                List<Finding> ofSeveral = source(server, List.of("canal.instance.standby.address=127.0.0.1:1"));
                assertThat(only(ofSeveral, "SLAVE MONITOR")).satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                    assertThat(finding.remedy()).startsWith("grant slave monitor on *.* to 'canal'@");
                });
                server.execute("grant slave monitor on *.* to " + USER);
                assertThat(source(server, List.of("canal.instance.standby.address=127.0.0.1:1")))
                        .extracting(Finding::subject)
                        .doesNotContain("SLAVE MONITOR", "log_replica_updates");
            } else {
                assertThat(unknown).isEmpty();
            }
            assertThat(findings).extracting(Finding::subject).contains("REPLICATION SLAVE", "SELECT", "start");
            assertThat(server.dumps()).isEmpty();
        }
    }

    @Test
    void gtidsInMessagesNeedASourceThatHasThem() throws Exception {
        List<String> shown = List.of("canal.instance.gtidon=true");
        assertThat(only(source(mysql, shown), "GTIDs").verdict()).isEqualTo(Verdict.OK);
        mysql.execute("set global gtid_mode = ON_PERMISSIVE");
        try {
            assertThat(only(source(mysql, shown), "GTIDs")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).contains("gtid_mode=ON_PERMISSIVE", "messages have no GTIDs");
            });
        } finally {
            mysql.execute("set global gtid_mode = ON");
        }
    }

    @Test
    void anotherReplicaWithTheSameIdIsFoundUnlessItIsTheInstance() throws Exception {
        ConnectOptions login = ConnectOptions.of(new ServerAddress(mysql.host(), mysql.port()), USER, PASSWORD);
        try (MySqlConnection other = MySqlConnection.open(login)) {
            other.dump(DumpRequest.from("", DumpRequest.FIRST_POSITION, REPLICA_ID));

            assertThat(only(source(mysql, List.of()), "replica id")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                assertThat(finding.evidence()).contains("is registered with 4711");
                assertThat(finding.remedy()).contains("canal.instance.mysql.slaveId");
            });
            ConnectReport running = check(mysql, List.of(), Optional.of("this server"));
            assertThat(only(running.instances().get(0).targets().get(0).findings(), "replica id")
                            .verdict())
                    .isEqualTo(Verdict.OK);
        }
    }

    @Test
    void aCursorWhoseFileIsOldIsAboutToBePurged() throws Exception {
        BinlogEnd cursor = mysql.binlogEnd();
        mysql.rotateBinlog();
        String retention = String.valueOf(mysql.query("select @@global.binlog_expire_logs_seconds"));
        mysql.execute("set global binlog_expire_logs_seconds = 1800");
        try {
            writeCursor(cursor, "");

            List<Finding> findings = source(mysql, List.of());

            assertThat(only(findings, "cursor").verdict()).isEqualTo(Verdict.WARNING);
            assertThat(only(findings, "cursor").evidence())
                    .contains(cursor.file() + ":" + cursor.offset())
                    .containsPattern("may be purged in about (29|30) min");
            assertThat(only(findings, "retention").verdict()).isEqualTo(Verdict.WARNING);
        } finally {
            mysql.execute("set global binlog_expire_logs_seconds = " + retention);
        }
    }

    @Test
    void amazonPurgesFilesWhateverTheVariablesStateIfNoHoursAreSet() throws Exception {
        BinlogEnd cursor = mysql.binlogEnd();
        mysql.rotateBinlog();
        writeCursor(cursor, "");
        mysql.execute(
                "create table mysql.rds_configuration (name varchar(100), value varchar(100))",
                "insert into mysql.rds_configuration values ('binlog retention hours', null)");
        try {
            List<Finding> findings = source(mysql, List.of());
            assertThat(only(findings, "retention")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).contains("binlog retention hours=NULL", "as soon as possible");
                assertThat(finding.remedy())
                        .isEqualTo("run CALL mysql.rds_set_configuration('binlog retention hours', 72)");
            });
            assertThat(only(findings, "cursor")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).endsWith("its file may be purged at any time");
            });

            mysql.execute("update mysql.rds_configuration set value = '48'");
            List<Finding> kept = source(mysql, List.of());
            assertThat(only(kept, "retention").verdict()).isEqualTo(Verdict.OK);
            assertThat(only(kept, "retention").evidence())
                    .isEqualTo("files of the binlog are purged after 2 days (binlog retention hours=48)");
            assertThat(only(kept, "cursor").evidence()).containsPattern("may be purged in about (47 h|2 days)");
        } finally {
            mysql.execute("drop table mysql.rds_configuration");
        }
    }

    @Test
    void schemasThatTheSourceDoesNotLogAreNamed() throws Exception {
        assertThat(only(source(mysql, List.of()), "binlog_ignore_db").verdict()).isEqualTo(Verdict.OK);
        mysql.execute("create database unlogged", "create table unlogged.t (id int primary key)");
        try {
            assertThat(only(source(mysql, List.of()), "binlog_ignore_db")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).endsWith("whose tables pass: unlogged");
            });
            List<String> excluded = List.of("canal.instance.filter.black.regex=unlogged\\\\..*");
            assertThat(only(source(mysql, excluded), "binlog_ignore_db").verdict())
                    .isEqualTo(Verdict.OK);
        } finally {
            mysql.execute("drop database unlogged");
        }
    }

    @Test
    void aCursorWithTransactionsThatTheSourceNeverHadHasFailed() throws Exception {
        writeCursor(mysql.binlogEnd(), "11111111-2222-3333-4444-555555555555:1-7");

        assertThat(only(source(mysql, List.of()), "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence())
                    .contains("does not have the transactions 11111111-2222-3333-4444-555555555555:1-7");
        });
    }

    @Test
    void aCursorWhoseGtidsWereGivenAgainHasFailed() throws Exception {
        BinlogEnd at = mysql.binlogEnd();
        BinlogEnd earlier = new BinlogEnd("binlog.009999", 4, "");
        String begun = ",\"begun\":{\"file\":\"binlog.009999\",\"offset\":4,\"seconds\":1600000000}";
        writeCursor(earlier, at.gtidSet()); // the time of one that canal wrote may be of another position
        assertThat(only(source(mysql, List.of()), "cursor").verdict()).isEqualTo(Verdict.OK);

        writeCursor(earlier, at.gtidSet(), begun);

        assertThat(only(source(mysql, List.of()), "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("GTIDs were given again that were read");
            assertThat(finding.remedy()).contains("--to oldest");
        });
    }

    private static Time fastClock() {
        AtomicLong nanos = new AtomicLong();
        return new Time() {
            @Override
            public long nanos() {
                return nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            }

            @Override
            public long millis() {
                return Time.SYSTEM.millis();
            }

            @Override
            public void sleep(Duration length) throws InterruptedException {
                Time.SYSTEM.sleep(length);
            }
        };
    }

    /** Whether an event begins there is looked up in the file, of a position that was not read. */
    @Test
    void aPositionThatWasNotLookedUpIsNotReportedAsOne() throws Exception {
        BinlogEnd at = mysql.binlogEnd();
        writeCursor(at, "");
        time = fastClock();

        List<Finding> findings = source(mysql, List.of("canal.instance.position.gtid=off"));

        assertThat(only(findings, "search in the binlog").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(only(findings, "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(finding.evidence()).contains("was not found out", at.file());
        });
    }

    @Test
    void aTimeThatWasNotSearchedForIsNotReportedAsThere() throws Exception {
        String now = mysql.query("select unix_timestamp()") + "000";
        time = fastClock();

        List<Finding> findings = source(mysql, List.of("canal.instance.master.timestamp=" + now));

        assertThat(only(findings, "start")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(finding.evidence()).contains("was not found out");
        });
    }

    /** The search takes too long, by a clock that is fast. */
    @Test
    void transactionsThatWereNotSearchedForAreNotReportedAsThere() throws Exception {
        time = fastClock();
        String begun = ",\"begun\":{\"file\":\"binlog.009999\",\"offset\":4,\"seconds\":1600000000}";
        writeCursor(new BinlogEnd("binlog.009999", 4, ""), mysql.binlogEnd().gtidSet(), begun);

        List<Finding> findings = source(mysql, List.of());

        assertThat(only(findings, "search in the binlog").verdict()).isEqualTo(Verdict.UNKNOWN);
        assertThat(only(findings, "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.UNKNOWN);
            assertThat(finding.evidence()).contains("was not found out");
        });
        assertThat(findings).extracting(Finding::subject).contains("SELECT");
    }

    @Test
    void aCursorOfAnotherFileOfTheSameNameHasFailed() throws Exception {
        BinlogEnd at = mysql.binlogEnd();
        writeCursor(
                at,
                "",
                ",\"begun\":{\"file\":\"%s\",\"offset\":%d,\"seconds\":1600000000}".formatted(at.file(), at.offset()));

        assertThat(only(source(mysql, List.of()), "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains(at.file() + " is another file than the one that was read");
        });
    }

    /** As a start refuses it. */
    @Test
    void aPositionWithinAnEventHasFailed() throws Exception {
        BinlogEnd end = mysql.binlogEnd();
        BinlogEnd within = new BinlogEnd(end.file(), end.offset() - 1, "");
        List<String> byFile = List.of("canal.instance.position.gtid=off");
        List<String> configured = List.of(
                "canal.instance.position.gtid=off",
                "canal.instance.master.journal.name=" + within.file(),
                "canal.instance.master.position=" + within.offset());

        assertThat(only(source(mysql, configured), "start")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("no event of " + within.file());
            assertThat(finding.remedy()).contains("canal.instance.master.timestamp");
        });
        writeCursor(within, "");
        Path cursor = folder.resolve("conf/shop/meta.dat");
        String readNow = mysql.query("select unix_timestamp()") + "000"; // not before the file was begun
        Files.writeString(cursor, Files.readString(cursor).replace("1700000000000", readNow));
        assertThat(only(source(mysql, byFile), "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("no event of " + within.file());
            assertThat(finding.remedy()).contains("cursor set DESTINATION --to " + within.file());
        });
        assertThat(mysql.dumps()).isEmpty();
    }

    /** A start looks through such an event, so it is nothing that a host fails by. */
    @Test
    void anEventLargerThanOtherAnswersMayBeIsLookedThrough() throws Exception {
        try (MySqlServer server = start(
                MySqlOptions.defaults().release(ServerRelease.MYSQL_8_0_31).with("max_allowed_packet", "128M"))) {
            server.execute(
                    "create database if not exists shop", "create table shop.large (id int primary key, v longblob)");
            BinlogEnd begin = server.rotateBinlog();
            server.execute("insert into shop.large values (1, repeat('x', 70 << 20))");
            BinlogEnd end = server.binlogEnd();
            assertThat(end.file()).isEqualTo(begin.file());
            List<String> configured = List.of(
                    "canal.instance.position.gtid=off",
                    "canal.instance.master.journal.name=" + end.file(),
                    "canal.instance.master.position=" + end.offset());

            List<Finding> findings = source(server, configured);

            assertThat(only(findings, "start").verdict()).isEqualTo(Verdict.OK);
            assertThat(findings)
                    .extracting(Finding::subject)
                    .contains("SELECT")
                    .doesNotContain("search in the binlog", "connection");
        }
    }

    @Test
    void aCursorBeyondTheEndOfItsFileHasFailed() throws Exception {
        BinlogEnd end = mysql.binlogEnd();
        writeCursor(new BinlogEnd(end.file(), end.offset() + 100_000, ""), "");
        List<String> byFile = List.of("canal.instance.position.gtid=off");
        assertThat(only(source(mysql, byFile), "cursor").verdict()).isEqualTo(Verdict.FAILED);

        String next = mysql.rotateBinlog().file() + ":4";

        assertThat(only(source(mysql, byFile), "cursor")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("is beyond the end of the file");
            assertThat(finding.remedy()).contains("--to " + next);
        });
        List<String> resetting = List.of("canal.instance.position.gtid=off");
        assertThat(only(
                        check(mysql, resetting, Optional.empty(), "canal.auto.reset.latest.pos.mode=true")
                                .instances()
                                .get(0)
                                .targets()
                                .get(0)
                                .findings(),
                        "cursor"))
                .satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                    assertThat(finding.evidence()).endsWith("continues at " + next);
                });
    }

    /** It is not read instead of the host whose position is configured. */
    @Test
    void aHostWithoutAStartBesideAConfiguredPositionIsAWarning() throws Exception {
        List<String> settings = List.of(
                "canal.instance.master.address=127.0.0.1:1",
                "canal.instance.master.journal.name=binlog.000001",
                "canal.instance.standby.address=%s:%d".formatted(mysql.host(), mysql.port()),
                "canal.instance.standby.allowPublicKeyRetrieval=true");

        assertThat(only(ofStandby(settings), "start")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
            assertThat(finding.evidence()).contains("binlog.000001:4 is of 127.0.0.1:1", "is not read before");
            assertThat(finding.remedy()).contains("canal.instance.standby.journal.name");
        });
        List<String> stated = new ArrayList<>(settings);
        stated.add("canal.instance.standby.journal.name=latest");
        assertThat(only(ofStandby(stated), "start").verdict()).isEqualTo(Verdict.OK);
    }

    private List<Finding> ofStandby(List<String> settings) throws Exception {
        return check(mysql, settings, Optional.empty())
                .instances()
                .get(0)
                .targets()
                .get(1)
                .findings();
    }

    @Test
    void aSchemaHistoryWithoutACursorIsAWarningUnlessTheCursorWasDeletedOnPurpose() throws Exception {
        Files.createDirectories(folder.resolve("conf/shop"));
        Files.createFile(folder.resolve("conf/shop/h2.sqlite"));

        assertThat(only(sentToQueue(), "start")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
            assertThat(finding.evidence()).contains("its cursor is lost, and it does not start");
            assertThat(finding.remedy()).contains("cursor set");
        });
        assertThat(only(source(mysql, List.of()), "start").verdict()).isEqualTo(Verdict.OK);
        Files.writeString(folder.resolve("conf/shop/meta.dat"), "{\"clientDatas\":[],\"destination\":\"shop\"}");
        assertThat(only(sentToQueue(), "start").verdict()).isEqualTo(Verdict.OK);
    }

    private List<Finding> sentToQueue() throws Exception {
        return check(mysql, List.of("canal.mq.topic=shop"), Optional.empty(), "canal.serverMode=stdout")
                .instances()
                .get(0)
                .targets()
                .get(0)
                .findings();
    }

    @Test
    void aFilterThatMatchesNothingIsAWarning() throws Exception {
        assertThat(only(source(mysql, List.of("canal.instance.filter.regex=till\\\\..*")), "filter"))
                .satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                    assertThat(finding.evidence()).isEqualTo("none of the 1 tables that the user can see passes");
                });
    }

    @Test
    void eachHostIsTried() throws Exception {
        ConnectReport report = check(mysql, List.of("canal.instance.standby.address=127.0.0.1:1"), Optional.empty());

        List<TargetReport> targets = report.instances().get(0).targets();
        assertThat(targets).hasSize(2);
        assertThat(targets.get(0).findings()).extracting(Finding::verdict).doesNotContain(Verdict.FAILED);
        assertThat(targets.get(1).target()).isEqualTo("source 127.0.0.1:1");
        assertThat(only(targets.get(1).findings(), "connection").verdict()).isEqualTo(Verdict.FAILED);
    }

    @Test
    void theServerOfASchemaHistoryIsTried() throws Exception {
        boolean isOld = mysql.release().authPlugins().contains(AuthPlugin.MYSQL_NATIVE_PASSWORD);
        mysql.createUser(
                "keeper", "secret", isOld ? AuthPlugin.MYSQL_NATIVE_PASSWORD : AuthPlugin.CACHING_SHA2_PASSWORD);
        assertThat(only(history(), "login")).satisfies(finding -> {
            assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
            assertThat(finding.evidence()).contains("1044");
        });
        mysql.execute("grant select on kept.* to keeper");
        assertThat(only(history(), "tables").verdict()).isEqualTo(Verdict.UNKNOWN);

        mysql.execute(
                "create database kept",
                "create table kept.meta_snapshot (destination varchar(128), data longtext, extra text) default charset = utf8mb4",
                "insert into kept.meta_snapshot values ('shop', repeat('x', 20000000), '')");
        try {
            assertThat(only(history(), "tables")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                assertThat(finding.evidence()).contains("INSERT command denied");
                assertThat(finding.remedy()).contains("on `kept`.* to the account");
            });

            mysql.execute("grant insert, update, delete on kept.* to keeper");
            List<Finding> findings = history();
            assertThat(only(findings, "tables").verdict()).isEqualTo(Verdict.OK);
            assertThat(only(findings, "form of tables")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.remedy()).contains("modify extra longtext");
            });
            assertThat(only(findings, "max_allowed_packet").verdict()).isEqualTo(Verdict.OK);
            String max = mysql.query("select @@global.max_allowed_packet");
            mysql.execute("set global max_allowed_packet = 33554432");
            try {
                assertThat(only(history(), "max_allowed_packet")).satisfies(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                    assertThat(finding.evidence())
                            .startsWith(
                                    "max_allowed_packet is 32 MiB, and a snapshot of all table schemas has about 19531 KiB:");
                });
            } finally {
                mysql.execute("set global max_allowed_packet = " + max);
            }
        } finally {
            mysql.execute("drop database kept");
        }
    }

    private List<Finding> history() throws Exception {
        List<TargetReport> targets = check(
                        mysql,
                        List.of(
                                "canal.instance.tsdb.url=jdbc:mysql://%s:%d/kept?allowPublicKeyRetrieval=true"
                                        .formatted(mysql.host(), mysql.port()),
                                "canal.instance.tsdb.dbUsername=keeper",
                                "canal.instance.tsdb.dbPassword=secret"),
                        Optional.empty())
                .instances()
                .get(0)
                .targets();
        assertThat(targets.get(1).target())
                .isEqualTo("schema history %s:%d/kept".formatted(mysql.host(), mysql.port()));
        return targets.get(1).findings();
    }

    @ParameterizedTest
    @EnumSource
    void nodesThatOthersOwnMayNotBeMade(ZooKeeperRelease release) throws Exception {
        try (RunningZooKeeper node = release.start();
                CuratorFramework stranger = CuratorFrameworkFactory.builder()
                        .connectString(node.connectString())
                        .retryPolicy(new RetryOneTime(100))
                        .authorization("digest", "stranger:secret".getBytes(StandardCharsets.UTF_8))
                        .build()) {
            stranger.start();
            String servers = "canal.zkServers=" + node.connectString();
            assertThat(check(mysql, List.of(), Optional.empty(), servers)
                            .server()
                            .get(0)
                            .findings())
                    .extracting(Finding::verdict)
                    .containsExactly(Verdict.OK, Verdict.OK);
            ZooKeeper client = stranger.getZookeeperClient().getZooKeeper();
            ZKPaths.mkdirs(client, "/otter/canal/destinations/shop", false);
            client.create(
                    "/otter/canal/destinations/shop", new byte[0], ZooDefs.Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);

            ConnectReport report = check(mysql, List.of(), Optional.empty(), servers);

            List<Finding> findings = report.server().get(0).findings();
            assertThat(only(findings, "connection").verdict()).isEqualTo(Verdict.OK);
            assertThat(only(findings, "nodes of shop")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.FAILED);
                assertThat(finding.evidence()).contains("/otter/canal/destinations/shop");
                assertThat(finding.remedy()).contains("canal.zookeeper.auth.user");
            });
            assertThat(stranger.getChildren().forPath("/otter/canal/destinations/shop"))
                    .isEmpty();
        }
    }

    /** As of a configuration that was copied from that server. */
    @Test
    void anAddressThatAnotherServerHasRegisteredIsFoundUnlessTheOwnServerRuns() throws Exception {
        try (RunningZooKeeper node = ZooKeeperRelease.NEWEST.start();
                CuratorFramework other =
                        CuratorFrameworkFactory.newClient(node.connectString(), new RetryOneTime(100))) {
            other.start();
            other.create()
                    .creatingParentsIfNeeded()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath("/otter/canal/cluster/10.0.0.5:11111", new byte[0]);
            String[] settings = {"canal.zkServers=" + node.connectString(), "canal.register.ip=10.0.0.5"};

            List<Finding> findings = check(mysql, List.of(), Optional.empty(), settings)
                    .server()
                    .get(0)
                    .findings();

            assertThat(only(findings, "address")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).contains("10.0.0.5:11111");
                assertThat(finding.remedy()).contains("canal.register.ip");
            });
            assertThat(check(mysql, List.of(), Optional.of("this one"), settings)
                            .server()
                            .get(0)
                            .findings())
                    .extracting(Finding::subject)
                    .doesNotContain("address");
        }
    }

    @Test
    void aPortThatIsInUseIsFound() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String[] ports = {
                "canal.port=" + used.getLocalPort(),
                "canal.metrics.pull.ip=127.0.0.1",
                "canal.metrics.pull.port=" + FreePorts.next()
            };

            List<Finding> findings = check(mysql, List.of(), Optional.empty(), ports)
                    .server()
                    .get(0)
                    .findings();

            assertThat(only(findings, "canal.port")).satisfies(finding -> {
                assertThat(finding.verdict()).isEqualTo(Verdict.WARNING);
                assertThat(finding.evidence()).contains("127.0.0.1:" + used.getLocalPort());
            });
            assertThat(only(findings, "canal.metrics.pull.port").verdict()).isEqualTo(Verdict.OK);
            assertThat(check(mysql, List.of(), Optional.of("this server"), ports)
                            .server())
                    .as("it listens there itself")
                    .isEmpty();
        }
    }

    private List<Finding> source(MySqlServer server, List<String> settings) throws Exception {
        return check(server, settings, Optional.empty())
                .instances()
                .get(0)
                .targets()
                .get(0)
                .findings();
    }

    private ConnectReport check(
            MySqlServer server, List<String> settings, Optional<String> runner, String... serverSettings)
            throws Exception {
        List<String> serverLines =
                new ArrayList<>(List.of("canal.serverMode=tcp", "canal.destinations=shop", "canal.ip=127.0.0.1"));
        serverLines.addAll(List.of(serverSettings));
        List<String> lines = new ArrayList<>(List.of(
                "canal.instance.master.address=" + server.host() + ":" + server.port(),
                "canal.instance.dbUsername=" + USER,
                "canal.instance.dbPassword=" + PASSWORD,
                "canal.instance.master.allowPublicKeyRetrieval=true",
                "canal.instance.mysql.slaveId=" + REPLICA_ID));
        lines.addAll(settings);
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("conf/shop"));
        Files.write(folder.resolve("conf/canal.properties"), serverLines);
        Files.write(folder.resolve("conf/shop/instance.properties"), lines);
        Environment environment =
                new Environment(Map.of(), Map.of(), (Inet4Address) InetAddress.getLoopbackAddress(), 2);
        Configuration configuration = ConfigLoader.load(
                folder.resolve("conf/canal.properties"), folder.resolve("bin"), environment, ProducerCheck.NONE);
        return new ConnectCheck(configuration, Optional.empty(), runner, Duration.ofSeconds(60), time)
                .run(configuration.instances(), line -> {});
    }

    private void writeCursor(BinlogEnd at, String gtidSet) throws IOException {
        writeCursor(at, gtidSet, "");
    }

    private void writeCursor(BinlogEnd at, String gtidSet, String more) throws IOException {
        Files.createDirectories(folder.resolve("conf/shop"));
        Files.writeString(folder.resolve("conf/shop/meta.dat"), """
                {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":""},
                "cursor":{"identity":{"slaveId":-1,"sourceAddress":{"address":"%s","port":%d}},
                "postion":{"gtid":"%s","included":false,"journalName":"%s","position":%d,"serverId":1,
                "timestamp":1700000000000}%s}}],"destination":"shop"}
                """.formatted(
                        mysql.host(), mysql.port(), gtidSet, at.file(), at.offset(), more));
    }

    private static Finding only(List<Finding> findings, String subject) {
        List<Finding> found = findings.stream()
                .filter(finding -> finding.subject().equals(subject))
                .toList();
        assertThat(found).as("%s in %s", subject, findings).hasSize(1);
        return found.get(0);
    }
}
