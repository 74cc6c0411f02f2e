package io.sluice.server.config.password;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.read.ConfigHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PasswordReaderTest {
    private static final String ENABLED = SHOP + "canal.instance.enableDruid = true\n";

    @TempDir
    Path directory;

    private ConfigHome home;
    private String publicKey = "";
    private String encrypted = "";

    @BeforeEach
    void files() throws Exception {
        home = new ConfigHome(directory);
        home.server(SERVER);
        KeyPair pair = PasswordKeyTest.pair(512);
        publicKey = PasswordKeyTest.text(pair.getPublic().getEncoded());
        encrypted = PasswordKeyTest.encrypted(pair, "hunter2".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anEncryptedPasswordIsDecryptedForAllHosts() throws Exception {
        home.instance("shop", ENABLED + """
                        canal.instance.standby.address = db2:3306
                        canal.instance.hosts = db3:3306
                        canal.instance.pwdPublicKey = %s
                        canal.instance.dbPassword = %s
                        """.formatted(publicKey, encrypted));

        var shop = home.load().instances().get(0);

        assertThat(shop.source().hosts())
                .hasSize(3)
                .allMatch(host -> host.login().password().equals("hunter2"));
        assertThat(shop.toString()).doesNotContain("hunter2");
        assertThat(shop.schema().history().password()).isEqualTo("canal");
    }

    @Test
    void aBlankPasswordIsNone() throws Exception {
        home.instance("shop", SHOP + "canal.instance.dbPassword =\n");

        assertThat(home.load().instances().get(0).login().password()).isEmpty();

        home.instance("shop", SHOP + "canal.instance.dbPassword = ${env:NOT_SET:}\n");
        assertThat(home.load().instances().get(0).login().password()).isEmpty();
    }

    @Test
    void withoutAPasswordItIsTheDefaultOfCanal() throws Exception {
        home.instance("shop", SHOP);
        home.variables.put("canal.instance.dbPassword", "");

        assertThat(home.load().instances().get(0).login().password()).isEqualTo("retl");
    }

    @Test
    void keyAndPasswordMayBeInFiles() throws Exception {
        home.write("run/key", publicKey.replaceAll(".{64}", "$0\n"));
        home.variables.put("DB_PASSWORD", encrypted);
        home.instance("shop", ENABLED + """
                        canal.instance.pwdPublicKey = ${file:../run/key}
                        canal.instance.dbPassword = ${env:DB_PASSWORD}
                        """);

        assertThat(home.load().instances().get(0).login().password()).isEqualTo("hunter2");
    }

    @Test
    void withoutTheSwitchThePasswordIsTakenAsItIs() throws Exception {
        home.instance("shop", SHOP + """
                        canal.instance.pwdPublicKey = %s
                        canal.instance.dbPassword = %s
                        """.formatted(publicKey, encrypted));

        assertThat(home.load().instances().get(0).login().password()).isEqualTo(encrypted);
    }

    @Test
    void bothTextsAreRequired() {
        home.instance("shop", ENABLED + "canal.instance.pwdPublicKey =\n");

        assertThat(home.problems())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .startsWith(home.instanceFile("shop") + ": canal.instance.dbPassword: is required by"),
                        second -> assertThat(second)
                                .startsWith(
                                        home.instanceFile("shop") + ":4: canal.instance.pwdPublicKey: is required by"
                                                + " canal.instance.enableDruid: the base64 text of the RSA public key")
                                .endsWith(
                                        "or set canal.instance.enableDruid = false and give the password itself, by ${file:…} or"
                                                + " ${env:…}; canal.instance.pwdPublicKey is blank here"));
    }

    @Test
    void aWrongKeyIsOneProblem() {
        home.instance(
                "shop",
                ENABLED + "canal.instance.pwdPublicKey = retl\ncanal.instance.dbPassword = " + encrypted + "\n");

        assertThat(home.problems())
                .singleElement()
                .asString()
                .startsWith(home.instanceFile("shop")
                        + ":4: canal.instance.pwdPublicKey = ******: is not an RSA public key")
                .contains("ConfigTools", "canal.instance.enableDruid = false");
    }

    @Test
    void aPasswordThatTheKeyDoesNotOpenIsOneProblem() {
        for (String wrong : new String[] {
            "hunter2!", "aHVudGVyMg==", encrypted.replace('A', 'B').replaceFirst("..", "AA")
        }) {
            home.instance(
                    "shop",
                    ENABLED + "canal.instance.pwdPublicKey = " + publicKey + "\ncanal.instance.dbPassword = " + wrong
                            + "\n");

            assertThat(home.problems())
                    .singleElement()
                    .asString()
                    .startsWith(home.instanceFile("shop") + ":5: canal.instance.dbPassword = ******: ")
                    .contains("canal.instance.pwdPublicKey of the same run")
                    .doesNotContain(wrong, publicKey);
        }
    }

    @Test
    void whatCannotBeFilledInIsReportedOnce() {
        home.instance("shop", ENABLED + """
                        canal.instance.pwdPublicKey = ${file:/missing}
                        canal.instance.dbPassword = ${env:NOT_SET}
                        """);

        assertThat(home.problems())
                .hasSize(2)
                .allMatch(problem -> problem.contains("canal.instance.pwdPublicKey = ******: there is no file /missing")
                        || problem.contains("canal.instance.dbPassword = ******: the environment variable NOT_SET"));
    }
}
