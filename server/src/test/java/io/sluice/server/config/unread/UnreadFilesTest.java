package io.sluice.server.config.unread;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Warning;
import io.sluice.testkit.canal.PolledAdmin;
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
        return Warning.texts(home.reader(serverFile).load().warnings());
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
                        ": canal.instance.dbPassword, canal.instance.filter.black.regex, canal.instance.filter.query.dml;",
                        "; set in " + other
                                + " what is meant, and, if no other server is started with it, remove or rename this file")
                .doesNotContain("from outside", "cursor");
    }

    /** What canal does not have has no other value there. */
    @Test
    void keysThatCanalDoesNotHaveAreNotNamed() throws Exception {
        home.server(ConfigHome.SERVER);
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER + """
                canal.mq.retry.pause.longest = 5000
                canal.instance.restart = backoff
                """)))
                .isEmpty();
    }

    @Test
    void keysThatCanalIgnoresInTheFileThatIsReadAreNamed() throws Exception {
        home.server(ConfigHome.SERVER);
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER + """
                canal.instance.filter.black.regex = shop\\\\.secrets
                canal.instance.parser.parallel = true
                """)))
                .singleElement()
                .asString()
                .startsWith(home.serverFile() + ": ")
                .contains(": canal.instance.filter.black.regex;");
    }

    /** As it is written, it is the same in both files. */
    @Test
    void valuesAreComparedWithTheirPlaceholdersFilledIn() throws Exception {
        String text = ConfigHome.SERVER + """
                canal.file.data.dir = ${canal.conf.dir}
                canal.instance.filter.black.regex = ${my.schema}\\\\.secrets
                canal.instance.filter.query.dml = ${my.dml:true}
                canal.instance.dbPassword = ${env:PASSWORD}
                """;
        home.server(text + "canal.conf.dir = ../conf\nmy.schema = shop\n");
        home.variables.put("PASSWORD", "from outside");
        home.instance("shop", ConfigHome.SHOP);
        home.write("other/shop/instance.properties", ConfigHome.SHOP);
        Path other = home.write("etc/prod.properties", text + "canal.conf.dir = ../other\nmy.schema = store\n");

        assertThat(warnings(other))
                .singleElement()
                .asString()
                .startsWith(home.serverFile() + ": ")
                .contains(
                        ": canal.file.data.dir, canal.instance.filter.black.regex; canal's cursors are where its"
                                + " canal.file.data.dir says, and an instance that finds none here begins at the newest position;");
        assertThat(warnings(home.write("etc/prod.properties", text + "my.schema = shop\n")))
                .isEmpty();
    }

    @Test
    void theZooKeeperOfCursorsIsNamed() throws Exception {
        String text = ConfigHome.SERVER + "canal.instance.tsdb.enable = false\ncanal.zkServers = zk1:2181,zk2:2181\n";
        String wiring = "canal.instance.global.spring.xml = classpath:spring/default-instance.xml\n";
        home.server(ConfigHome.SERVER + "canal.instance.tsdb.enable = false\ncanal.zkServers = zk9:2181\n");
        home.instance("shop", ConfigHome.SHOP);
        Path other = home.write("etc/prod.properties", text + wiring);

        assertThat(warnings(other))
                .singleElement()
                .asString()
                .startsWith(home.serverFile() + ": ")
                .contains(": canal.zkServers; canal's cursors are where its canal.zkServers says,");

        home.server(ConfigHome.SERVER + "canal.instance.tsdb.enable = false\ncanal.zkServers = zk2;zk1:2181,\n");
        assertThat(warnings(other)).isEmpty();
        home.server(ConfigHome.SERVER + "canal.instance.tsdb.enable = false\ncanal.zkServers =\n");
        assertThat(warnings(other)).isEmpty();
    }

    @Test
    void whatIsSetFromOutsideCountsInBoth() throws Exception {
        home.server(ConfigHome.SERVER + "canal.file.data.dir = ../old\ncanal.instance.filter.query.dml = true\n");
        home.variables.put("canal.file.data.dir", folder.resolve("data").toString());
        home.systemProperties.put("canal.instance.filter.query.dml", "false");
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER)))
                .isEmpty();
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

    /** Which has no key that would make it one of Sluice. */
    @Test
    void theFileThatCanalShipsIsCompared() throws Exception {
        Files.copy(Path.of("src/test/resources/canal-1.1.8/canal.properties"), home.serverFile());
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER + """
                canal.file.data.dir = ../data
                canal.instance.filter.query.dml = true
                """)))
                .singleElement()
                .asString()
                .contains(": canal.file.data.dir, canal.instance.filter.query.dml;");
    }

    /** canal never ran with it. */
    @Test
    void theFileOfThePackageIsNoneOfCanal() throws Exception {
        Files.copy(Path.of("../deployer/src/main/package/conf/canal.properties"), home.serverFile());
        home.instance("shop", ConfigHome.SHOP);

        assertThat(warnings(home.write("etc/prod.properties", ConfigHome.SERVER + """
                canal.file.data.dir = ../data
                canal.instance.filter.query.dml = true
                canal.instance.filter.black.regex = shop\\\\.secrets
                """)))
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
                    canal.instance.filter.query.dml = true
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
            admin.instance(
                    "shop", ConfigHome.SHOP + "canal.instance.gtidon = false\ncanal.instance.filter.query.dml =\n");
            admin.instance("till", ConfigHome.SHOP + """
                    canal.instance.mysql.slaveId = 7
                    canal.instance.filter.black.regex = till\\\\.secrets
                    canal.instance.filter.query.dml = false
                    canal.instance.gtidon = false
                    """);

            assertThat(warnings(local))
                    .filteredOn(line -> line.startsWith(home.serverFile().toString()))
                    .singleElement()
                    .asString()
                    .contains(
                            ": canal.instance.filter.black.regex, canal.instance.filter.query.dml;",
                            "; set what is meant in the texts of the instances at http://" + admin.address())
                    .doesNotContain(local.toString()); // what is set there wins over what the instances set
        }
    }

    @Test
    void withAnAdminServerTheFileOfTheInstanceWinsOverTheOneOfTheServer() throws Exception {
        try (PolledAdmin admin = PolledAdmin.start()) {
            home.server("canal.instance.filter.query.dml = true\ncanal.instance.filter.query.ddl = true\n");
            home.instance("shop", ConfigHome.SHOP + "canal.instance.filter.query.dml = false\n");
            Path local =
                    home.write("conf/canal_local.properties", """
                    canal.admin.manager = %s
                    canal.admin.user = admin
                    canal.admin.passwd = %s
                    canal.register.ip = 10.0.0.7
                    """.formatted(admin.address(), PolledAdmin.PASSWORD));
            admin.server("canal.serverMode = kafka\nkafka.bootstrap.servers = 127.0.0.1:9092\n");
            admin.instance("shop", ConfigHome.SHOP);

            assertThat(warnings(local))
                    .filteredOn(line -> line.startsWith(home.serverFile().toString()))
                    .singleElement()
                    .asString()
                    .contains(": canal.instance.filter.query.ddl;");
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
