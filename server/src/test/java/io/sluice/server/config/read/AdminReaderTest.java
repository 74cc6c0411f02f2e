package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.wire.Scramble;
import io.sluice.server.config.port.AdminConfig;
import io.sluice.server.config.port.PortTls;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.Warning;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The settings of the management port. */
class AdminReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void aManagementPortIsOpenedWithAPasswordOfTheOperatorsOwn() throws Exception {
        home.instance("shop", SHOP);
        home.server(SERVER);
        assertThat(home.load().server().admin()).isEmpty();
        assertThat(home.load().server().logDirectory()).isEqualTo(folder.resolve("logs"));

        home.server(SERVER + """
                canal.ip = 10.0.0.7
                canal.admin.port = 11110
                canal.admin.user = root
                canal.admin.passwd = %s
                """.formatted(Scramble.stored("my own").toUpperCase(Locale.ROOT)));
        assertThat(home.load().server().admin())
                .contains(new AdminConfig(
                        "10.0.0.7", 11110, "root", new Secret(Scramble.stored("my own")), Optional.empty()));
        assertThat(home.load().warnings()).isEmpty();

        home.server(SERVER + """
                canal.admin.port = 12345
                canal.admin.passwd = %s
                canal.admin.ip = 10.0.0.8
                canal.admin.tls.keyStore = file:/etc/sluice/server.p12
                canal.admin.tls.clientAuth = NEED
                """.formatted(Scramble.stored("my own")));
        AdminConfig admin = home.load().server().admin().orElseThrow();
        assertThat(admin.address()).isEqualTo("10.0.0.8");
        assertThat(admin.port()).isEqualTo(12345);
        assertThat(admin.tls().orElseThrow().clientAuth()).isEqualTo(PortTls.ClientAuth.NEED);
    }

    @ParameterizedTest
    @CsvSource({
        "'', it has no password",
        "BE1BDEC0AA74B4DCB079943E70528096CCA985F8, it has no password",
        "4ACFE3202A5FF5CF467898FC58AAB1D615029441, that of the well-known password admin",
        "4acfe3202a5ff5cf467898fc58aab1d615029441, that of the well-known password admin",
        "E3619321C1A937C46A0D8BD1DAC39F93B27D4458, that of the well-known password canal",
        "6BB4837EB74329105EE4568DDA7DC67ED2CA2AD9, that of the well-known password 123456",
    })
    void aManagementPortWithAPublishedPasswordStaysClosed(String stored, String reason) throws Exception {
        // As in the file that canal ships, on all addresses and with our loopback address for the client port.
        String shipped = "canal.admin.port = 11110\ncanal.admin.user = admin\ncanal.admin.passwd = " + stored + "\n";
        home.instance("shop", SHOP);
        for (String address : List.of("", "canal.ip = 127.0.0.1\n", "canal.admin.ip = 0.0.0.0\n")) {
            home.server(SERVER + shipped + address);

            assertThat(home.load().server().admin()).isEmpty();
            assertThat(home.load().warnings())
                    .singleElement()
                    .asString()
                    .startsWith("the management port (canal.admin.port) stays closed")
                    .contains(reason, "set canal.admin.passwd to the 40 hexadecimal digits");
        }
    }

    @Test
    void aWellKnownPasswordOpensAManagementPortForThisMachineOnly() throws Exception {
        home.instance("shop", SHOP);
        home.server(SERVER + """
                canal.admin.port = 11110
                canal.admin.passwd = 4ACFE3202A5FF5CF467898FC58AAB1D615029441
                canal.admin.ip = 127.0.0.1
                """);
        assertThat(home.load().server().admin().orElseThrow().address()).isEqualTo("127.0.0.1");
        assertThat(home.load().warnings()).isEmpty();

        home.server(SERVER + "canal.admin.port = 11110\ncanal.admin.ip = 127.0.0.1\n");
        assertThat(home.load().server().admin()).isEmpty();
    }

    @Test
    void aPasswordWithoutAManagementPortIsDoubted() throws Exception {
        home.server(SERVER + "canal.admin.passwd = " + Scramble.stored("my own") + "\n");
        home.instance("shop", SHOP);

        assertThat(home.load().server().admin()).isEmpty();
        assertThat(Warning.texts(home.load().warnings()))
                .containsExactly(
                        "canal.admin.passwd has no effect without canal.admin.port: the management port is closed");
    }

    @Test
    void whatIsNoPasswordOfAManagementPortIsRejectedAndNotShown() throws Exception {
        home.server(SERVER + "canal.admin.port = 11110\ncanal.admin.passwd = hunter2\n");
        home.instance("shop", SHOP);

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("canal.admin.passwd", "must be the 40 hexadecimal digits of SHA1(SHA1(password))")
                .doesNotContain("hunter2");
    }
}
