package io.sluice.server.config.read;

import static io.sluice.server.config.read.ConfigHome.SERVER;
import static io.sluice.server.config.read.ConfigHome.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.server.config.Configuration;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which instances there are, by their names and by their files. */
class DestinationReaderTest {
    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void files() {
        home = new ConfigHome(folder);
    }

    @Test
    void automaticScanningFindsTheInstancesThatHaveAFile() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\n");
        home.instance("shop", SHOP);
        home.instance("audit", SHOP.replace("db:", "db2:"));
        home.instance("spring", "");

        assertThat(home.load().server().destinations()).containsExactly("shop", "audit");
    }

    @Test
    void automaticScanningLeavesOutANamedInstanceWithoutAFileAndSaysHowToBringItBack() throws Exception {
        home.server(SERVER.replace("= shop", "= shop, gone")
                + "canal.auto.scan = true\ncanal.instance.gone.lazy = false\n");
        home.instance("shop", SHOP);

        Configuration configuration = home.load();

        assertThat(configuration.server().destinations()).containsExactly("shop");
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains(
                        folder.resolve("conf/gone/instance.properties").toString(),
                        "there is no such file, so the instance gone does not run",
                        "create it",
                        "canal.destinations");
    }

    /** canal starts every folder but {@code spring}, so one that is left out silently would be an instance that is missing. */
    @ParameterizedTest
    @ValueSource(strings = {"shop@1", "my shop", "a+b"})
    void automaticScanningReportsAFolderThatNoInstanceCanBeNamedAfter(String name) throws Exception {
        home.server(SERVER + "canal.auto.scan = true\n");
        home.instance("shop", SHOP);
        home.instance(name, SHOP.replace("db:", "db2:"));

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("conf/" + name + "/instance.properties", "no instance can be named \"" + name + "\"");
    }

    @Test
    void automaticScanningLeavesOutHiddenFolders() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\n");
        home.instance("shop", SHOP);
        home.instance(".git", SHOP);

        assertThat(home.load().server().destinations()).containsExactly("shop");
        assertThat(home.load().warnings()).isEmpty();
    }

    @Test
    void aRenamedFolderGivesOneInstance() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\n" + SHOP);
        home.instance("renamed", "");

        assertThat(home.load().server().destinations()).containsExactly("renamed");
    }

    @Test
    void automaticScanningThatFindsNoInstanceAtAllIsAProblem() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\n" + SHOP);

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "there is no such file, so the instance shop does not run");
    }

    @Test
    void automaticScanningOfADirectoryThatIsNotThereIsAProblem() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\ncanal.conf.dir = ../away\n" + SHOP);

        assertThat(home.problems())
                .anySatisfy(problem -> assertThat(problem).contains("away", "there is no such directory"));
    }

    @Test
    void withoutAutomaticScanningAnInstanceNeedsNoFileOfItsOwnAndThatIsSaid() throws Exception {
        home.server(SERVER + SHOP);

        Configuration configuration = home.load();

        assertThat(configuration.instances()).hasSize(1);
        assertThat(configuration.warnings())
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "there is no such file", "only the settings of");
    }

    @Test
    void whatAnInstanceWithoutAFileLacksIsReportedWithTheInstancesThatHaveOne() throws Exception {
        home.server(SERVER.replace("= shop", "= example,till"));
        home.instance("shop", SHOP);
        home.instance("till", SHOP);

        assertThat(home.problems())
                .satisfiesExactly(
                        first -> assertThat(first)
                                .isEqualTo(
                                        home.instanceFile("example")
                                                + ": there is no such file, and canal.properties does not set all that the instance"
                                                + " example needs: create it, or name in canal.destinations what has a file: shop"),
                        second -> assertThat(second).contains("canal.instance.master.address: is required"),
                        third -> assertThat(third).contains("canal.mq.topic: is required"));
    }

    @Test
    void withoutAnyFileOfAnInstanceTheRemedyIsToCreateIt() throws Exception {
        home.server(SERVER);

        assertThat(home.problems())
                .hasSize(3)
                .first()
                .asString()
                .startsWith(home.instanceFile("shop") + ": there is no such file")
                .endsWith("needs: create it");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFileThatMayBeThereButCannotBeSeenIsAProblemAndNotAnEmptyFile(boolean scan) throws Exception {
        home.server(SERVER + "canal.auto.scan = " + scan + "\n" + SHOP);
        Path own = Files.createDirectories(folder.resolve("conf/shop"));
        Files.createSymbolicLink(own.resolve("instance.properties"), Path.of("instance.properties")); // a loop

        assertThat(home.problems())
                .singleElement()
                .asString()
                .contains("conf/shop/instance.properties", "the file cannot be read");
    }

    /** Such as one of a backup, in which the server may not search. */
    @Test
    void aDirectoryThatIsNotNamedIsNoInstanceIfItsFileCannotBeSeen() throws Exception {
        home.server(SERVER + "canal.auto.scan = true\n");
        home.instance("shop", SHOP);
        Path own = Files.createDirectories(folder.resolve("conf/backup"));
        Files.createSymbolicLink(own.resolve("instance.properties"), Path.of("instance.properties")); // a loop

        assertThat(home.load().server().destinations()).containsExactly("shop");
    }

    @Test
    void aRangeOfDestinationsIsExpanded() throws Exception {
        home.server(
                SERVER + "canal.destinations.expr = shop{2-4}\ncanal.mq.topic = t\ncanal.instance.mysql.slaveId = 0\n");
        home.variables.put("canal.instance.master.address", "[::1]:3306");

        Configuration configuration = home.load();

        assertThat(configuration.server().destinations()).containsExactly("shop2", "shop3", "shop4");
        assertThat(configuration.instances().get(0).login().address()).isEqualTo(new ServerAddress("::1", 3306));
    }
}
