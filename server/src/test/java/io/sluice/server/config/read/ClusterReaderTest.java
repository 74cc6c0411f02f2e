package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.tls.KeyStoreFile;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of servers that share their instances. */
class ClusterReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void serversThatShareDestinationsAreIdentifiedByTheirRegisteredAddress() throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk1:2181,zk2:2181; zk3:2181/chroot
                canal.register.ip = 10.0.0.7
                canal.ip = 10.0.0.8
                canal.port = 11115
                canal.zookeeper.session.timeout = 9000
                canal.zookeeper.flush.period = 250
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                """);
        home.instance("shop", SHOP);

        Configuration configuration = home.load();

        assertThat(configuration.server().cluster())
                .contains(new ClusterConfig(
                        "zk1:2181,zk2:2181,zk3:2181/chroot",
                        "10.0.0.7:11115",
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(30),
                        ZooKeeperAccess.OPEN));
        CursorConfig cursor = configuration.instances().get(0).cursor();
        assertThat(cursor.kind()).isEqualTo(CursorKind.ZOOKEEPER);
        assertThat(cursor.flushPeriod()).isEqualTo(Duration.ofMillis(250));
        assertThat(configuration.warnings()).isEmpty();
    }

    @Test
    void theConnectionToZooKeeperCanBeProtected() throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk1:2281
                canal.zookeeper.tls.enable = true
                canal.zookeeper.tls.trustStore = ../conf/zk-trust.p12
                canal.zookeeper.tls.trustStorePassword = open sesame
                canal.zookeeper.auth.user = sluice
                canal.zookeeper.auth.password = carry them all
                canal.zookeeper.acl = creator
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                """);
        home.instance("shop", SHOP);

        ZooKeeperAccess access = home.load().server().cluster().orElseThrow().access();

        assertThat(access.tls())
                .contains(new ZooKeeperAccess.Tls(
                        Optional.of(new KeyStoreFile("PKCS12", "../conf/zk-trust.p12", "open sesame")),
                        Optional.empty(),
                        true));
        assertThat(access.login()).contains(new ZooKeeperAccess.Login("sluice", new Secret("carry them all")));
        assertThat(access.acl()).isEqualTo(ZooKeeperAccess.Acl.CREATOR);
        assertThat(access.toString()).doesNotContain("sesame", "carry");
    }

    @Test
    void nodesOfTheirCreatorNeedALogin() throws Exception {
        home.server(SERVER + "canal.zkServers = zk1:2181\ncanal.zookeeper.acl = CREATOR\n");
        home.instance("shop", SHOP);
        assertThat(home.problems())
                .anyMatch(problem ->
                        problem.contains("canal.zookeeper.acl") && problem.contains("needs canal.zookeeper.auth.user"));
    }

    @Test
    void cursorsInZooKeeperNeedOne() throws Exception {
        home.server(SERVER + "canal.instance.global.spring.xml = classpath:spring/default-instance.xml\n");
        home.instance("shop", SHOP);
        assertThat(home.problems())
                .containsExactly(
                        folder.resolve("conf/canal.properties") + ": canal.zkServers: is required by the wiring"
                                + " default-instance.xml of shop, which keeps cursors there; canal takes 127.0.0.1:2181 if it is blank, where"
                                + " another ZooKeeper may be, or none: set it to that if it is meant");
    }

    /** canal keeps the cursors of such an instance there, so they would not be found. */
    @Test
    void anInstanceThatNamesAnotherZooKeeperIsAWarning() throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk1:2181,zk2:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.enable = false
                """);
        home.instance("shop", SHOP + "canal.zkServers = zk9:2181\n");
        assertThat(Warning.texts(home.load().warnings()))
                .anyMatch(line -> line.startsWith(
                                folder.resolve("conf/shop/instance.properties") + ":3: canal.zkServers names other")
                        && line.contains("begins at the newest position"));

        home.instance("shop", SHOP + "canal.zkServers = zk1:2181,zk2:2181/canal\n");
        assertThat(Warning.texts(home.load().warnings())).anyMatch(line -> line.contains("names other"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"zk1:2181, zk2:2181", "zk2:2181;zk1:2181,", "ZK2,zk1:2181", "zk1:2181,zk2:2181/"})
    void theSameZooKeeperInOtherWordsIsNoWarning(String servers) throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk1:2181,zk2:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.enable = false
                """);
        home.instance("shop", SHOP + "canal.zkServers = " + servers + "\n");

        assertThat(Warning.texts(home.load().warnings())).noneMatch(line -> line.contains("names other"));
    }

    @Test
    void theZooKeeperThatOnlyAnInstanceNamesIsInTheProblem() throws Exception {
        home.server(SERVER + "canal.instance.global.spring.xml = classpath:spring/default-instance.xml\n");
        home.instance("shop", SHOP + "canal.zkServers = zk9:2181\n");
        assertThat(home.problems())
                .containsExactly(
                        folder.resolve("conf/canal.properties") + ": canal.zkServers: is required by the wiring"
                                + " default-instance.xml of shop, which keeps cursors there; canal takes that of the instance: set it to the value at "
                                + folder.resolve("conf/shop/instance.properties") + ":3");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "canal.instance.tsdb.url = jdbc:h2:shop\n", "canal.instance.tsdb.url = jdbc:sqlite:shop\n"})
    void aSchemaHistoryOnOneMachineIsRejectedAmongSeveralServers(String history) throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                """);
        home.instance("shop", SHOP + history);
        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("canal.instance.tsdb.url", "must be jdbc:mysql://", "canal.zkServers", "shop", "CREATE");
    }

    @Test
    void withoutASchemaHistoryServersShareNoFile() throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.enable = false
                """);
        home.instance("shop", SHOP);
        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void cursorsOnOneMachineAreAWarningAmongSeveralServers() throws Exception {
        home.server(SERVER + "canal.zkServers = zk:2181\n");
        home.instance("shop", SHOP);
        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("these keep their cursor on one machine", "shop");
    }

    @Test
    void aLoopbackAddressDoesNotIdentifyAServerOfACluster() throws Exception {
        String cluster = """
                canal.zkServers = zk1:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                canal.ip = 127.0.0.1
                """;
        home.instance("shop", SHOP);

        home.server(SERVER + cluster);
        assertThat(home.load().server().cluster().orElseThrow().address()).isEqualTo("10.20.30.40:11111");
        home.server("canal.serverMode = tcp\ncanal.destinations = shop\n" + cluster);
        Configuration pulled = home.load();
        assertThat(pulled.server().cluster().orElseThrow().address()).isEqualTo("127.0.0.1:11111");
        assertThat(pulled.warnings()).singleElement().asString().contains("canal.register.ip");
    }

    @Test
    void aMachineWithoutAnAddressIsToBeGivenOne() throws Exception {
        String cluster = """
                canal.zkServers = zk1:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                """;
        home.instance("shop", SHOP);
        home.address = ConfigHome.address(127, 0, 0, 1);

        home.server(SERVER + cluster);
        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .contains("no IPv4 address but 127.0.0.1", "set canal.register.ip");
        home.server(SERVER + cluster + "canal.register.ip = 2001:db8::7\n");
        assertThat(home.load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2001:db8::7", "[2001:db8::7]"})
    void anIpv6AddressIsRegisteredInBrackets(String address) throws Exception {
        home.server(SERVER + """
                canal.zkServers = zk1:2181
                canal.instance.global.spring.xml = classpath:spring/default-instance.xml
                canal.instance.tsdb.url = jdbc:mysql://db:3306/history
                canal.register.ip = %s
                """.formatted(address));
        home.instance("shop", SHOP);

        assertThat(home.load().server().cluster().orElseThrow().address()).isEqualTo("[2001:db8::7]:11111");
    }
}
