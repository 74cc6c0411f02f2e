package io.sluice.deployer.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Commands.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the script that a container runs makes of its environment; a script that prints what it is given is in place of startup.sh. */
class ImageEntryTest {
    private static final Path ENTRY =
            Path.of("../packaging/image/entry.sh").toAbsolutePath().normalize();
    private static final String DESTINATIONS = "canal.destinations";

    @TempDir
    Path folder;

    private Path home;

    @BeforeEach
    void layOut() throws IOException {
        home = folder.toRealPath().resolve("a home");
        for (String name : List.of("bin", "conf", "example")) {
            Files.createDirectories(home.resolve(name));
        }
        Files.writeString(home.resolve("example/instance.properties"), "canal.mq.topic = example\n");
        Path startup = Files.writeString(
                home.resolve("bin/startup.sh"),
                "#!/usr/bin/env bash\nprintf '%s\\n' \"$*\" \"conf=$(printenv canal.conf.dir)\"\n");
        assertThat(startup.toFile().setExecutable(true)).isTrue();
        Files.copy(ENTRY, home.resolve("bin/entry.sh"));
    }

    /** The arguments of startup.sh, and the directory of configurations that it is given. */
    private List<String> run(Map<String, String> variables, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of("bash", home.resolve("bin/entry.sh").toString()));
        command.addAll(List.of(arguments));
        Outcome outcome = Commands.run(folder, variables, command);
        assertThat(outcome.status()).as(outcome.output()).isZero();
        return outcome.output().lines().toList();
    }

    private Path instance(String name) {
        return home.resolve("conf").resolve(name).resolve("instance.properties");
    }

    @Test
    void withAnAdminServerTheLocalFileIsRead() {
        assertThat(run(Map.of("canal.admin.manager", "admin:8089"), "foreground"))
                .containsExactly("local foreground", "conf=");
        assertThat(home.resolve("conf")).isEmptyDirectory();

        assertThat(run(Map.of("canal.admin.manager", " "), "foreground")).containsExactly("foreground", "conf=");
    }

    @Test
    void argumentsThatNameAFileAreLeftAsTheyAre() {
        assertThat(run(Map.of("canal.admin.manager", "admin:8089"), "/etc/canal.properties", "foreground"))
                .containsExactly("/etc/canal.properties foreground", "conf=");
        assertThat(run(Map.of("canal.admin.manager", "admin:8089"), "debug", "5005", "foreground"))
                .containsExactly("local debug 5005 foreground", "conf=");
    }

    @ParameterizedTest
    @CsvSource({"shop,shop", "' shop-1.a ','shop-1.a'", "'',example", "example,example"})
    void theOnlyInstanceHasTheNameOfTheDestination(String destinations, String name) {
        assertThat(run(Map.of(DESTINATIONS, destinations), "foreground")).containsExactly("foreground", "conf=");

        assertThat(instance(name)).hasContent("canal.mq.topic = example");
        assertThat(home.resolve("conf")).isDirectoryNotContaining(path -> !path.endsWith(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shop,till", "../shop", ".shop", "a shop"})
    void noInstanceIsMadeForSeveralDestinationsOrOneThatCannotBe(String destinations) {
        run(Map.of(DESTINATIONS, destinations), "foreground");

        assertThat(home.resolve("conf")).isEmptyDirectory();
    }

    @Test
    void anInstanceThatIsMountedIsTheOnlyOne() throws IOException {
        Files.createDirectories(instance("till").resolve(".."));
        Files.writeString(instance("till"), "canal.mq.topic = till\n");

        run(Map.of(DESTINATIONS, "shop"), "foreground");

        assertThat(home.resolve("conf")).isDirectoryNotContaining(path -> !path.endsWith("till"));
    }

    @Test
    void anInstanceIsElsewhereIfItsFolderCannotBeMade() throws IOException {
        Files.createFile(home.resolve("conf/shop")); // where a directory cannot be made, also by root

        assertThat(run(Map.of(DESTINATIONS, "shop", "TMPDIR", folder.toString()), "foreground"))
                .containsExactly("foreground", "conf=" + folder + "/sluice-conf");
        assertThat(folder.resolve("sluice-conf/shop/instance.properties")).hasContent("canal.mq.topic = example");
    }

    @Test
    void noInstanceIsMadeIfTheConfigurationIsElsewhere() throws IOException {
        assertThat(run(Map.of("canal.conf.dir", "/etc/sluice"), "foreground"))
                .containsExactly("foreground", "conf=/etc/sluice");
        assertThat(home.resolve("conf")).isEmptyDirectory();

        Path properties = home.resolve("conf/canal.properties");
        Files.writeString(properties, "canal.conf.dir = /etc/sluice\n");
        assertThat(run(Map.of(DESTINATIONS, "shop"), "foreground")).containsExactly("foreground", "conf=");
        assertThat(instance("shop")).doesNotExist();

        Files.writeString(properties, "canal.conf.dir = ../conf\n");
        run(Map.of(DESTINATIONS, "shop"), "foreground");
        assertThat(instance("shop")).exists();
    }
}
