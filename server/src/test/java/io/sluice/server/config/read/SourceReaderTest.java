package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.tls.TlsMode;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.ConfigException;
import io.sluice.stream.source.SourceOptions;
import io.sluice.stream.source.search.LostCursor;
import io.sluice.stream.source.search.PositionOptions;
import io.sluice.stream.source.server.ConfiguredStart;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.watch.ProbeOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The settings of an instance's source: its hosts, where reading begins, and how they are connected to. */
class SourceReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void aGeneratedReplicaIdIsThatOfTheInstanceOfThisServer() throws Exception {
        home.server(SERVER.replace("shop", "shop,stock"));
        home.instance("shop", SHOP);
        home.instance("stock", SHOP);

        long shop = home.load().instances().get(0).source().replicaServerId();
        long stock = home.load().instances().get(1).source().replicaServerId();
        long again = home.load().instances().get(0).source().replicaServerId();

        assertThat(shop)
                .isBetween(1L, (long) Integer.MAX_VALUE)
                .isEqualTo(again)
                .isNotEqualTo(stock);
    }

    @Test
    void aGeneratedReplicaIdIsAnotherOneInAnotherFolderOfTheSameHost() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP);

        long here = home.load().instances().get(0).source().replicaServerId();
        ConfigHome other = new ConfigHome(folder.resolve("other"));
        other.server(SERVER);
        other.instance("shop", SHOP);
        long there = other.load().instances().get(0).source().replicaServerId();

        assertThat(there).isNotEqualTo(here);
    }

    @Test
    void aStandbyThatIsTheMasterIsAWarning() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.standby.address = db:3306\n");

        Configuration configuration = home.load();

        assertThat(configuration.instances().get(0).source().hosts()).hasSize(1);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains(
                        "canal.instance.standby.address = db:3306 has no effect, since it is canal.instance.master.address");
    }

    @Test
    void aStandbyIsOneHost() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.standby.address = h1,h2:3306\n");

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("canal.instance.standby.address = h1,h2:3306: must be host:port");
    }

    @Test
    void theStartIsAPosition() throws Exception {
        String gtidSet = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5";
        assertThat(startOf("master.journal.name = mysql-bin.000007\ncanal.instance.master.position = 1042"))
                .isEqualTo(new ConfiguredStart.At(new BinlogPosition("mysql-bin.000007", 1042), null));
        assertThat(startOf("master.journal.name = mysql-bin.000007"))
                .isEqualTo(new ConfiguredStart.At(new BinlogPosition("mysql-bin.000007", 4), null));
        assertThat(startOf("gtidon = true\ncanal.instance.master.journal.name = mysql-bin.000007"
                        + "\ncanal.instance.master.gtid = " + gtidSet))
                .isEqualTo(new ConfiguredStart.At(new BinlogPosition("mysql-bin.000007", 4), gtidSet));
    }

    @Test
    void theStartMayBeATimeASetOrAWord() throws Exception {
        assertThat(startOf("gtidon = true\ncanal.instance.master.gtid = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1"))
                .isEqualTo(new ConfiguredStart.After("3e11fa47-71ca-11e1-9e33-c80aa9429562:1"));
        assertThat(startOf("master.gtid = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1"))
                .isEqualTo(new ConfiguredStart.Default());
        assertThat(startOf("master.timestamp = 1700000000123"))
                .isEqualTo(new ConfiguredStart.Since(null, Instant.ofEpochMilli(1_700_000_000_123L)));
        assertThat(startOf("master.journal.name = bin.000007\ncanal.instance.master.timestamp = 1700000000000"))
                .isEqualTo(new ConfiguredStart.Since("bin.000007", Instant.ofEpochMilli(1_700_000_000_000L)));
        assertThat(startOf("master.journal.name = earliest")).isEqualTo(new ConfiguredStart.Earliest());
        assertThat(startOf("master.journal.name = latest")).isEqualTo(new ConfiguredStart.Newest());
        assertThatThrownBy(() -> startOf("master.journal.name = earliest\ncanal.instance.master.position = 4"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("no other key may");
        assertThatThrownBy(() -> startOf("master.journal.name = bin.000007\ncanal.instance.master.position = 3"))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is before the first event of every file, which is at 4");
    }

    @Test
    void anInstanceMayHaveSeveralHosts() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.standby.address = standby:3306
                        canal.instance.standby.sslMode = required
                        canal.instance.hosts = third:3307, [::1]:3308
                        canal.instance.master.journal.name = bin.000007
                        canal.instance.master.timestamp = 1700000000000
                        canal.instance.standby.journal.name = bin.000001
                        """);

        List<SourceHost> hosts = home.load().instances().get(0).source().hosts();

        assertThat(hosts)
                .extracting(host -> host.login().address().toString())
                .containsExactly("db:3306", "standby:3306", "third:3307", "[::1]:3308");
        assertThat(hosts)
                .extracting(host -> host.login().tls().mode())
                .containsExactly(TlsMode.DISABLED, TlsMode.REQUIRED, TlsMode.DISABLED, TlsMode.DISABLED);
        assertThat(hosts.get(1).start()).isEqualTo(new ConfiguredStart.At(new BinlogPosition("bin.000001", 4), null));
        assertThat(hosts.get(2).start())
                .isEqualTo(new ConfiguredStart.Since(null, Instant.ofEpochMilli(1_700_000_000_000L)));
    }

    /** The operator has chosen what a position of the other host must not be exchanged for otherwise. */
    @Test
    void theNewestPositionOfTheStandbyIsStatedOrNot() throws Exception {
        String standby = "canal.instance.standby.address = standby:3306\n";
        String position = "canal.instance.master.journal.name = bin.000007\n";
        String time = "canal.instance.master.timestamp = 1700000000000\n";
        String latest = "canal.instance.standby.journal.name = latest\n";

        assertThat(startOfStandby(standby + position)).isEqualTo(new ConfiguredStart.Default());
        assertThat(startOfStandby(standby + position + latest)).isEqualTo(new ConfiguredStart.Newest());
        assertThat(startOfStandby(standby + time + latest)).isEqualTo(new ConfiguredStart.Newest());
        assertThat(startOfStandby(standby + time))
                .isEqualTo(new ConfiguredStart.Since(null, Instant.ofEpochMilli(1_700_000_000_000L)));
    }

    private ConfiguredStart startOfStandby(String lines) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + lines);
        return home.load().instances().get(0).source().hosts().get(1).start();
    }

    @Test
    void aLostCursorStopsOnlyAnInstanceThatMustHaveOne() throws Exception {
        assertThat(lostCursor("")).isEqualTo(LostCursor.STOP);
        assertThat(lostCursor("canal.instance.global.spring.xml = classpath:spring/memory-instance.xml\n"))
                .isEqualTo(LostCursor.NONE);
        assertThat(lostCursor("canal.serverMode = tcp\ncanal.ip = 127.0.0.1\n")).isEqualTo(LostCursor.WARN);

        CursorConfig cursor = home.load().instances().get(0).cursor();
        assertThat(cursor.isEmptied()).isFalse();
        Path file = folder.resolve("conf/shop/meta.dat");
        Files.writeString(file, "{\"clientDatas\":[],\"destination\":\"shop\"}");
        assertThat(cursor.isEmptied()).isTrue();
        assertThat(new CursorConfig(CursorKind.ZOOKEEPER, cursor.directory(), cursor.flushPeriod()).isEmptied())
                .isFalse();
        Files.writeString(file, """
                {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"shop","filter":""}}],"destination":"shop"}""");
        assertThat(cursor.isEmptied())
                .as("a start without the cursor has failed")
                .isFalse();
    }

    private LostCursor lostCursor(String more) throws Exception {
        home.server(SERVER + more);
        home.instance("shop", SHOP);
        return home.load().instances().get(0).source().positions().lostCursor();
    }

    @Test
    void positionsAndTheProbeAreSetByTheirKeys() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.gtidon = true
                        canal.instance.position.gtid = off
                        canal.instance.position.onLost = newest
                        canal.auto.reset.latest.pos.mode = true
                        canal.instance.fallbackIntervalInSeconds = 7
                        canal.instance.detecting.enable = true
                        canal.instance.detecting.sql = select 2
                        canal.instance.detecting.interval.time = 9
                        canal.instance.detecting.retry.threshold = 5
                        canal.instance.detecting.heartbeatHaEnable = true
                        canal.instance.binlog.format = row, mixed
                        canal.instance.binlog.image = full
                        """);

        SourceOptions source = home.load().instances().get(0).source();

        assertThat(source.positions())
                .isEqualTo(new PositionOptions(true, false, true, Duration.ofSeconds(7), LostCursor.WARN));
        assertThat(source.probe()).isEqualTo(new ProbeOptions("select 2", Duration.ofSeconds(9), 5, true));
        assertThat(source.failuresBorne()).isEqualTo(5);
        assertThat(source.acceptedFormats()).containsExactly("ROW", "MIXED");
        assertThat(source.acceptedImages()).containsExactly("FULL");
    }

    @Test
    void aKeyStoreOfAnotherTypeIsRejected() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.master.trustCertificateKeyStoreUrl = file:/etc/trust.p12
                        canal.instance.master.trustCertificateKeyStoreType = floppy
                        """);

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("trustCertificateKeyStoreUrl")
                .contains("unknown type: FLOPPY");
    }

    @Test
    void heartbeatsComeBeforeTheReadTimeout() throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance.network.soTimeout = 8\n");
        InstanceConfig shop = home.load().instances().get(0);
        assertThat(shop.login().readTimeout()).isEqualTo(Duration.ofSeconds(8));
        assertThat(shop.source().heartbeatPeriod()).isEqualTo(Duration.ofSeconds(4));

        home.instance("shop", SHOP + "canal.instance.network.heartbeatPeriod = 30\n");
        assertThatThrownBy(home::load)
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("must be shorter than canal.instance.network.soTimeout (30)");
    }

    private ConfiguredStart startOf(String lines) throws Exception {
        home.server(SERVER);
        home.instance("shop", SHOP + "canal.instance." + lines + "\n");
        return home.load().instances().get(0).start();
    }

    @Test
    void eachHostHasItsRulesForThePassword() throws Exception {
        String pem = "-----BEGIN PUBLIC KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(KeyPairGenerator.getInstance("RSA")
                                .generateKeyPair()
                                .getPublic()
                                .getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
        Files.writeString(folder.resolve("conf/master.pem"), pem);
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.standby.address = db2:3306
                        canal.instance.hosts = db3:3306
                        canal.instance.master.serverRSAPublicKeyFile = ../conf/master.pem
                        canal.instance.master.enableCleartextPlugin = true
                        canal.instance.standby.allowPublicKeyRetrieval = true
                        """);

        InstanceConfig shop = home.load().instances().get(0);

        PasswordOptions ofMaster = new PasswordOptions(false, folder.resolve("conf/master.pem"), true);
        assertThat(shop.source().hosts())
                .extracting(host -> host.login().passwords())
                .containsExactly(ofMaster, new PasswordOptions(true, null, false), ofMaster);
    }

    @Test
    void aKeyOfAServerThatCannotBeReadIsReported() throws Exception {
        Files.writeString(folder.resolve("conf/none.pem"), "no key");
        home.server(SERVER);
        home.instance("shop", SHOP + """
                        canal.instance.master.serverRSAPublicKeyFile = ../conf/missing.pem
                        canal.instance.standby.address = db2:3306
                        canal.instance.standby.serverRSAPublicKeyFile = ../conf/none.pem
                        canal.instance.tsdb.url = jdbc:mysql://db:3306/h?serverRSAPublicKeyFile=../conf/gone.pem
                        """);

        assertThat(home.problems()).hasSize(3);
        assertThat(home.problems().get(0)).contains(":3: ", "missing.pem cannot be read");
        assertThat(home.problems().get(1)).contains(":5: ", "none.pem holds no RSA public key in PEM");
        assertThat(home.problems().get(2)).contains(":6: canal.instance.tsdb.url", "gone.pem cannot be read");
    }
}
