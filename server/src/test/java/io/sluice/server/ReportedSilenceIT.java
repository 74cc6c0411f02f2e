package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.zookeeper.ZooKeeperNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What servers that share an instance know of each other's producers: the deployment, and whether something is in flight. */
@Timeout(600)
class ReportedSilenceIT {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final String RELEASED = "/otter/sluice/destinations/shop/released";
    private static final String EPOCH = "/otter/sluice/destinations/shop/epoch";
    private static final String USER = "canal";
    private static final String PASSWORD = "left to others";

    private static MySqlServer mysql;

    private final CommandedBroker broker = new CommandedBroker();
    private ZooKeeperNode zooKeeper;
    private Path home;
    private SluiceServer server;

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
    void start() throws Exception {
        zooKeeper = ZooKeeperNode.start();
        home = Folders.temporary("sluice-silence-");
        BinlogEnd begin = mysql.rotateBinlog();
        mysql.execute(
                "drop database if exists shop",
                "create database shop",
                "create table shop.t (id int primary key)",
                "insert into shop.t values (1)");
        write("conf/shop/instance.properties", """
                        canal.instance.master.address = %s:%d
                        canal.instance.dbUsername = %s
                        canal.instance.dbPassword = %s
                        canal.instance.master.journal.name = %s
                        canal.instance.master.position = %d
                        canal.instance.tsdb.enable = false
                        canal.mq.topic = shop
                        """.formatted(
                        mysql.host(), mysql.port(), USER, PASSWORD, begin.file(), begin.offset()));
        write("conf/canal.properties", """
                        canal.serverMode = kafka
                        kafka.bootstrap.servers = 127.0.0.1:9
                        canal.destinations = shop
                        canal.zkServers = %s
                        canal.register.ip = 127.0.0.1
                        canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                        canal.metrics.pull.port = %d
                        """.formatted(zooKeeper.connectString(), FreePorts.next()));
        server = new ServerFiles(home).start(broker);
        await().atMost(PATIENCE).until(() -> ackedMessages() > 0);
    }

    private Path write(String file, String text) throws Exception {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
        zooKeeper.close();
        Folders.delete(home);
    }

    @Test
    void aProducerIsMadeForTheDeployment() {
        assertThat(broker.deployment()).isNotEmpty().isEqualTo(zooKeeper.text("/otter/sluice/deployment"));
    }

    @Test
    void aServerWhoseBrokerHasConfirmedAllIsSilent() {
        server.stop(LONG);

        assertThat(zooKeeper.text(RELEASED)).startsWith("epoch=" + zooKeeper.version(EPOCH) + " heartbeat=");
    }

    @Test
    void aServerWhoseBrokerHasNotAnsweredIsNot() {
        haveSomethingInFlight();

        server.stop(Duration.ofMillis(10));

        assertThat(zooKeeper.text(RELEASED)).isEmpty();
    }

    /** Another instance has followed within the same term, and all that it has sent is confirmed. */
    @Test
    void norIsOneOfWhichAnEarlierInstanceHadNoAnswer() {
        haveSomethingInFlight();
        server.operations().restart("shop"); // gives up what is in flight after its limit
        broker.answer();
        await().atMost(PATIENCE).until(() -> ackedMessages() > 0);

        server.stop(LONG);

        assertThat(zooKeeper.text(RELEASED)).isEmpty();
    }

    @Test
    void aCandidateThatHasDiedIsReplacedByAStart() {
        // With those of former servers, if any of these has not ended yet.
        List<Thread> candidates = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("candidate-shop"))
                .toList();
        assertThat(candidates).isNotEmpty();
        candidates.forEach(Thread::interrupt);
        await().atMost(PATIENCE)
                .until(() -> server.instances().isEmpty() && candidates.stream().noneMatch(Thread::isAlive));

        assertThat(server.operations().start("shop")).isTrue();

        mysql.execute("insert into shop.t values (2)");
        await().atMost(PATIENCE).until(() -> ackedMessages() > 0);
    }

    private void haveSomethingInFlight() {
        broker.fallSilent();
        mysql.execute("insert into shop.t values (2)");
        await().atMost(PATIENCE).until(broker::hasUnanswered);
    }

    private long ackedMessages() {
        return server.operations()
                .snapshot("shop")
                .instance()
                .flatMap(instance -> instance.senderStatus())
                .map(status -> status.ackedMessages())
                .orElse(0L);
    }
}
