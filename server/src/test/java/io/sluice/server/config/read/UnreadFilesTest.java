package io.sluice.server.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.testkit.canal.PolledAdmin;
import io.sluice.testkit.time.HandTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that canal reads, and this server does not. */
class UnreadFilesTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void fill() {
        home = new ConfigHome(folder);
    }

    private List<String> warnings(Path serverFile) throws Exception {
        return new ConfigReader(
                        serverFile,
                        folder.resolve("bin"),
                        new Environment(
                                home.systemProperties,
                                home.variables,
                                Environment.ofThisProcess().address(),
                                4),
                        ProducerCheck.NONE,
                        new HandTime())
                .load()
                .warnings();
    }

    @Test
    void keysOfInstancesInTheFileThatCanalReadsInAnyCaseAreNamed() throws Exception {
        home.server(ConfigHome.SERVER + """
                canal.destinations = till
                canal.mq.batchSize = 7
                canal.instance.filter.black.regex = shop\\\\.secrets
                canal.instance.dbPassword = from outside
                canal.instance.memory.batch.mode = MEMSIZE
                canal.instance.filter.query.dml = false
                canal.instance.gtidon = true
                canal.mq.topic = everything
                """);
        Path other = home.write("etc/prod.properties", ConfigHome.SERVER + """
                canal.instance.filter.query.dml = true
                canal.instance.gtidon = true
                """);
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(other))
                .singleElement()
                .asString()
                .startsWith(home.serverFile() + ": ")
                .contains(
                        other.toString(),
                        ": canal.instance.dbPassword, canal.instance.filter.black.regex, canal.instance.filter.query.dml;")
                .doesNotContain("from outside");
    }

    @Test
    void theFileThatIsReadIsNotAnotherOne() throws Exception {
        home.server(ConfigHome.SERVER + "canal.instance.filter.black.regex = shop\\\\.secrets\n");
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.serverFile())).isEmpty();
        assertThat(warnings(Files.createSymbolicLink(folder.resolve("link.properties"), home.serverFile())))
                .isEmpty();
    }

    /** What they set is what holds without them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "../deployer/src/main/package/conf/canal.properties",
                "src/test/resources/canal-1.1.8/canal.properties"
            })
    void aFileAsItIsShippedIsNoReasonForAWarning(String shipped) throws Exception {
        Files.copy(Path.of(shipped), home.serverFile());
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER)))
                .isEmpty();
    }

    @Test
    void withAnAdminServerKeysThatItLacksAreNamed() throws Exception {
        try (PolledAdmin admin = PolledAdmin.start()) {
            home.server("""
                    canal.serverMode = tcp
                    canal.instance.filter.black.regex = shop\\\\.secrets
                    canal.instance.gtidon = true
                    canal.instance.network.soTimeout = 77
                    """);
            Path local =
                    home.write("conf/canal_local.properties", """
                    canal.admin.manager = %s
                    canal.admin.user = admin
                    canal.admin.passwd = %s
                    canal.register.ip = 10.0.0.7
                    """.formatted(admin.address(), PolledAdmin.PASSWORD));
            admin.server("""
                    canal.serverMode = kafka
                    kafka.bootstrap.servers = 127.0.0.1:9092
                    canal.instance.network.soTimeout = 9
                    """);
            admin.instance("shop", ConfigHome.SHOP + "canal.instance.gtidon = false\n");

            assertThat(warnings(local))
                    .filteredOn(line -> line.startsWith(home.serverFile().toString()))
                    .singleElement()
                    .asString()
                    .contains(local.toString(), ": canal.instance.filter.black.regex;");
        }
    }

    @Test
    void keysOfTheFileOfAnInstanceThatCanalReadsInAnyCaseAreNamed() throws Exception {
        home.server(ConfigHome.SERVER + "canal.conf.dir = ../other\n");
        home.write("other/shop/instance.properties", ConfigHome.SHOP);
        home.instance("shop", ConfigHome.SHOP + "canal.instance.filter.regex = shop\\\\.orders\n");

        assertThat(warnings(home.serverFile()))
                .singleElement()
                .asString()
                .startsWith(home.instanceFile("shop") + ": ")
                .contains("canal.conf.dir", folder.resolve("other/shop").toString(), ": canal.instance.filter.regex;");

        home.instance("shop", ConfigHome.SHOP);
        assertThat(warnings(home.serverFile())).isEmpty();
    }

    @Test
    void aFileThatCannotBeReadIsLeftOut() throws ConfigException, Exception {
        Files.createDirectory(home.serverFile());
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER)))
                .isEmpty();
    }
}
