package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.port.TcpConfig;
import io.sluice.server.config.text.ConfigException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The settings of the port where clients pull. */
class TcpReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void forClientsThatPullNeitherATopicNorABrokerIsNeeded() throws Exception {
        home.server("""
                canal.serverMode = tcp
                canal.destinations = shop
                canal.user = canal
                canal.passwd = E4E382FDFEB623116CE99AEDCEA8D85E53888926
                canal.tcp.tls.keyStore = file:/etc/sluice/server.p12
                canal.tcp.tls.clientAuth = need
                """);
        home.instance("shop", "canal.instance.master.address = db:3306\n");

        Configuration configuration = home.load();

        assertThat(configuration.warnings()).isEmpty();
        TcpConfig tcp = configuration.server().tcp().orElseThrow();
        assertThat(tcp.address()).isEmpty();
        assertThat(tcp.port()).isEqualTo(11111);
        assertThat(tcp.user()).isEqualTo("canal");
        assertThat(tcp.storedPassword().value()).isEqualTo("e4e382fdfeb623116ce99aedcea8d85e53888926");
        assertThat(tcp.limits())
                .isEqualTo(new TcpConfig.Limits(
                        4096,
                        512,
                        1000,
                        1 << 20,
                        Duration.ofSeconds(30),
                        Duration.ofHours(1),
                        Duration.ofMinutes(5),
                        100));
        assertThat(tcp.tls().orElseThrow().clientAuth()).isEqualTo(PortTls.ClientAuth.NEED);
        assertThat(configuration.instances().get(0).store().rawEntry()).isTrue();
    }

    @Test
    void aPortThatOtherMachinesReachNeedsAPassword() throws Exception {
        String tcp = "canal.serverMode = tcp\ncanal.destinations = shop\n";
        String remedies =
                "set canal.user and canal.passwd, or canal.ip = 127.0.0.1; if this is intended, as with canal,"
                        + " add the line canal.tcp.allow.anonymous = true";
        home.instance("shop", "canal.instance.master.address = db:3306\n");

        home.server(tcp);
        assertThat(home.problems())
                .singleElement()
                .asString()
                .startsWith(folder.resolve("conf/canal.properties")
                        + ": canal.ip: clients need no password on port 11111 of all addresses: ")
                .endsWith(remedies);
        home.server(tcp + "canal.ip = 192.0.2.1\n");
        assertThat(home.problems())
                .singleElement()
                .asString()
                .startsWith(folder.resolve("conf/canal.properties")
                        + ":3: canal.ip = 192.0.2.1: clients need no password on port 11111 of 192.0.2.1: ")
                .endsWith(remedies);
        String tls = "canal.tcp.tls.keyStore = file:/etc/server.p12\ncanal.tcp.tls.clientAuth = NEED\n";
        home.server(tcp + tls);
        assertThat(home.problems()).hasSize(1); // any certificate that the JVM trusts would do

        home.server(tcp + tls + "canal.tcp.tls.trustStore = file:/etc/clients.p12\n");
        assertThat(home.load().warnings()).isEmpty();
        home.server(tcp + "canal.passwd = E4E382FDFEB623116CE99AEDCEA8D85E53888926\n");
        assertThat(home.load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "be1bdec0aa74b4dcb079943e70528096cca985f8, clients need the empty password alone (canal.passwd)",
        "E3619321C1A937C46A0D8BD1DAC39F93B27D4458, clients need the well-known password canal alone (canal.passwd)",
        "4ACFE3202A5FF5CF467898FC58AAB1D615029441, clients need the well-known password admin alone (canal.passwd)",
        "6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9, clients need the well-known password 123456 alone (canal.passwd)"
    })
    void aPublishedPasswordIsAsNone(String stored, String risk) throws Exception {
        String tcp = "canal.serverMode = tcp\ncanal.destinations = shop\ncanal.user = canal\ncanal.passwd = " + stored
                + "\n";
        home.instance("shop", "canal.instance.master.address = db:3306\n");

        home.server(tcp);
        assertThat(home.problems()).singleElement().asString().contains(risk + " on port 11111 of all addresses");
        home.server(tcp + "canal.ip = 127.0.0.1\n");
        assertThat(home.load().warnings()).isEmpty();
        home.server(tcp + "canal.tcp.allow.anonymous = true\n");
        assertThat(home.load().warnings()).singleElement().asString().contains(risk);
        home.server(tcp
                + "canal.tcp.tls.keyStore = file:/etc/server.p12\ncanal.tcp.tls.clientAuth = NEED\n"
                + "canal.tcp.tls.trustStore = file:/etc/clients.p12\n");
        assertThat(home.load().warnings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"})
    void aPortThatOnlyThisMachineReachesNeedsNoPassword(String address) throws Exception {
        home.server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.ip = " + address + "\n");
        home.instance("shop", "canal.instance.master.address = db:3306\n");

        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void anOpenPortThatIsIntendedIsAWarningAtEachStart() throws Exception {
        home.server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.tcp.allow.anonymous = true\n");
        home.instance("shop", "canal.instance.master.address = db:3306\n");

        assertThat(home.load().warnings())
                .singleElement()
                .asString()
                .startsWith(
                        "canal.tcp.allow.anonymous = true: clients need no password on port 11111 of all addresses");
    }

    @Test
    void aUserNeedsAValidPassword() throws Exception {
        home.server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.user = canal\n");
        home.instance("shop", "canal.instance.master.address = db:3306\n");
        assertThat(catchThrowableOfType(ConfigException.class, home::load).problems())
                .singleElement()
                .hasToString(folder.resolve("conf/canal.properties")
                        + ":3: canal.user = canal: needs canal.passwd: a user without a password protects nothing");

        home.server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.passwd = hunter2\n");
        assertThat(catchThrowableOfType(ConfigException.class, home::load).problems())
                .singleElement()
                .hasToString(folder.resolve("conf/canal.properties")
                        + ":3: canal.passwd = ******: must be the 40 hexadecimal digits of SHA1(SHA1(password)), as"
                        + " MySQL's password() gives them");
    }

    @Test
    void thePortStaysClosedForAQueueAndOnRequest() throws Exception {
        home.server(SERVER + "canal.user = canal\n");
        home.instance("shop", SHOP);
        assertThat(home.load().server().tcp()).isEmpty();

        home.server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.withoutNetty = true\n");
        assertThat(home.load().server().tcp()).isEmpty();

        home.server("canal.serverMode = tcp\ncanal.destinations = shop\ncanal.withoutNetty =\ncanal.ip = 127.0.0.1\n");
        assertThat(home.load().server().tcp())
                .as("set to nothing, as with canal")
                .isEmpty();

        home.server(
                "canal.serverMode = tcp\ncanal.destinations = shop\ncanal.withoutNetty = ${env:NETTY:}\ncanal.ip = 127.0.0.1\n");
        assertThat(home.load().server().tcp()).as("by a placeholder, too").isEmpty();
    }
}
