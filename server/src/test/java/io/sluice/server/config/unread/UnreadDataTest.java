package io.sluice.server.config.unread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.read.ConfigHome;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Problem;
import io.sluice.testkit.canal.PolledAdmin;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cursors and schema histories that are in {@code conf/}, where canal keeps them, and would not be read there. */
@Timeout(60)
class UnreadDataTest {
    private static final String VARIABLE = "canal.file.data.dir";

    @TempDir
    Path folder;

    private ConfigHome home;

    @BeforeEach
    void fill() {
        home = new ConfigHome(folder);
        home.server(ConfigHome.SERVER);
        home.instance("shop", ConfigHome.SHOP);
    }

    private ConfigReader reader() {
        return home.reader(home.serverFile());
    }

    private List<String> problems() {
        return catchThrowableOfType(ConfigException.class, () -> reader().start()).problems().stream()
                .map(Problem::toString)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aCursorOfCanalInTheConfigurationIsNotPassedOverInSilence(boolean isInEnvironment) throws Exception {
        home.write("conf/shop/meta.dat", "{}");
        home.write("conf/shop/h2.mv.db", "H:2");
        if (isInEnvironment) {
            home.variables.put(VARIABLE, folder.resolve("data").toString());
        } else {
            home.server(ConfigHome.SERVER + "canal.file.data.dir = ../data\n");
        }

        assertThat(problems())
                .containsExactly(folder.resolve("conf/shop/meta.dat")
                        + ": meta.dat, h2.mv.db would not be read, since canal.file.data.dir has this instance look in "
                        + folder.resolve("data/shop")
                        + ", and changes would be lost: move them there, or remove them");
        assertThat(reader().load().instances()).hasSize(1);
        assertThat(catchThrowableOfType(ConfigException.class, () -> reader().loadForStart(List.of())))
                .isNotNull();
        home.write("data/shop/meta.dat", "{}");
        home.write("data/shop/h2.mv.db", "H:2");
        assertThat(reader().start().instances()).hasSize(1);
        assertThat(reader().loadForStart(List.of()).instances()).hasSize(1);
    }

    @Test
    void aHistoryOfCanalInTheConfigurationIsNotPassedOverInSilence() throws Exception {
        home.write("conf/shop/h2.mv.db", "H:2");
        home.write("data/shop/meta.dat", "{}");
        home.variables.put(VARIABLE, folder.resolve("data").toString());

        assertThat(problems()).singleElement().asString().contains("conf/shop/h2.mv.db: h2.mv.db would not be read");
        home.write("data/shop/h2.sqlite", "");
        assertThat(reader().start().instances()).hasSize(1);
    }

    /** canal is started with another file, too, and takes the directory from this one. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "conf | : canal keeps it in that place, and another server of this package may: while neither runs, copy it there, and for another begin run bin/sluice.sh cursor set shop after that",
                "old | while neither canal nor another server runs with that file, copy it there, or, if none ever ran with it, remove or rename the file"
            })
    void aCursorOfCanalWhereAFileThatIsNotReadHasItIsNotPassedOverInSilence(String directory, String remedy)
            throws Exception {
        home.write(directory + "/shop/meta.dat", "{}");
        home.server(
                ConfigHome.SERVER + "canal.conf.dir = ../" + directory + "\ncanal.file.data.dir = ${canal.conf.dir}\n");
        home.write("other/shop/instance.properties", ConfigHome.SHOP);
        Path other = home.write(
                "etc/prod.properties",
                ConfigHome.SERVER + "canal.conf.dir = ../other\ncanal.file.data.dir = ${canal.conf.dir}\n");

        assertThat(catchThrowableOfType(
                                ConfigException.class, () -> home.reader(other).start())
                        .problems())
                .singleElement()
                .asString()
                .startsWith(folder.resolve(directory) + "/shop/meta.dat: meta.dat would not be read")
                .contains(folder.resolve("other/shop").toString())
                .endsWith(remedy)
                .doesNotContain("remove it");

        home.write("other/shop/meta.dat", "{}");
        assertThat(home.reader(other).start().instances()).hasSize(1);
    }

    @Test
    void whatIsReadOrWouldNotBeReadAnywhereIsNoProblem() throws Exception {
        home.write("conf/shop/meta.dat", "{}");
        home.write("conf/shop/h2.mv.db", "H:2");
        assertThat(reader().start().instances()).hasSize(1);

        home.variables.put(VARIABLE, folder.resolve("data").toString());
        home.server(ConfigHome.SERVER + "canal.instance.global.spring.xml = classpath:spring/memory-instance.xml\n");
        assertThat(reader().start().instances()).hasSize(1);

        Files.createSymbolicLink(folder.resolve("linked"), folder.resolve("conf"));
        home.variables.put(VARIABLE, folder.resolve("linked").toString());
        home.server(ConfigHome.SERVER);
        assertThat(reader().start().instances()).hasSize(1);
    }

    @Test
    void whileTheServerRunsOnlyCursorsThatAreNotMovedAreAProblem() throws Exception {
        home.write("conf/shop/meta.dat", "{}");
        ConfigReader reader = reader();
        reader.start();
        home.server(ConfigHome.SERVER + "canal.destinations = shop, late\ncanal.file.data.dir = ../data\n");
        home.instance("late", ConfigHome.SHOP);
        home.write("conf/late/meta.dat", "{}");

        assertThat(reader.read().instanceProblems()).containsOnlyKeys("late");

        home.write("data/late/meta.dat", "{}");
        assertThat(reader.read().instanceProblems()).isEmpty();
    }

    @Test
    void anInstanceOfAnAdminServerDoesNotRunAndKeepsNoOtherFromIt() throws Exception {
        try (PolledAdmin admin = PolledAdmin.start()) {
            home.server("""
                    canal.admin.manager = %s
                    canal.admin.user = admin
                    canal.admin.passwd = %s
                    canal.register.ip = 10.0.0.7
                    """.formatted(admin.address(), PolledAdmin.PASSWORD));
            admin.server("canal.serverMode = kafka\nkafka.bootstrap.servers = 127.0.0.1:9092\n");
            admin.instance("shop", ConfigHome.SHOP);
            admin.instance("other", ConfigHome.SHOP);
            assertThat(reader().start().instances()).hasSize(2); // from here on there is a copy of its texts
            home.write("conf/shop/meta.dat", "{}");
            home.variables.put(VARIABLE, folder.resolve("data").toString());
            ConfigReader reader = reader();

            Configuration started = reader.start();

            assertThat(started.instances())
                    .singleElement()
                    .satisfies(instance -> assertThat(instance.destination()).isEqualTo("other"));
            assertThat(reader.problemsAtStart()).containsOnlyKeys("shop");
            assertThat(reader.read().instanceProblems()).containsOnlyKeys("shop");
        }
    }
}
