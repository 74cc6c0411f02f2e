package io.sluice.server.instance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.config.instance.CursorConfig;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.store.cursor.CursorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeploymentFileTest {
    private static final OwnershipTerm SOLE = OwnershipTerm.sole();

    @TempDir
    private Path dir;

    private CursorConfig place(CursorKind kind, String name) {
        return new CursorConfig(kind, dir.resolve(name).resolve("shop"), Duration.ofSeconds(1));
    }

    private CursorConfig here() {
        return place(CursorKind.FILE, "here");
    }

    @Test
    void isMadeOnceAndKeptOverARestart() {
        String id = new DeploymentFile("shop").id(here(), SOLE);

        assertThat(id).isNotEmpty();
        assertThat(new DeploymentFile("shop").id(here(), SOLE)).isEqualTo(id);
        assertThat(new DeploymentFile("shop").id(place(CursorKind.FILE, "there"), SOLE))
                .isNotEqualTo(id);
    }

    @Test
    void followsToAnotherDirectory() {
        DeploymentFile file = new DeploymentFile("shop");
        String id = file.id(here(), SOLE);

        assertThat(file.id(place(CursorKind.FILE, "there"), SOLE)).isEqualTo(id);
        assertThat(new DeploymentFile("shop").id(place(CursorKind.FILE, "there"), SOLE))
                .isEqualTo(id);
    }

    /** As of canal, whose producers are not known by it. */
    @Test
    void isMadeWhereCursorsAreAlready() throws IOException {
        Files.createDirectories(here().directory());
        Files.writeString(here().directory().resolve("meta.dat"), "{}");

        String id = new DeploymentFile("shop").id(here(), SOLE);

        assertThat(here().directory().resolve("deployment.id")).hasContent(id);
        assertThat(UUID.fromString(id)).hasToString(id);
    }

    /** As on a full disk. */
    @Test
    void oneThatCannotBeWrittenIsValidForThisProcessAndWrittenLater() throws IOException {
        Path obstacle = Files.createDirectories(here().directory().resolve("deployment.id.tmp/obstacle"));
        DeploymentFile file = new DeploymentFile("shop");

        String id = file.id(here(), SOLE);

        assertThat(id).isNotEmpty();
        assertThat(file.id(here(), SOLE)).isEqualTo(id);
        Files.delete(obstacle);
        assertThat(file.id(here(), SOLE)).isEqualTo(id);
        assertThat(new DeploymentFile("shop").id(here(), SOLE)).isEqualTo(id);
    }

    /** Producers with a new id would not wait for those with the one that is in the file. */
    @Test
    void oneThatCannotBeReadIsNotReplaced() throws IOException {
        Files.createDirectories(here().directory().resolve("deployment.id"));

        assertThatThrownBy(() -> new DeploymentFile("shop").id(here(), SOLE))
                .isInstanceOf(CursorException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void nothingIsKeptWithCursorsInMemory() {
        assertThat(new DeploymentFile("shop").id(place(CursorKind.MEMORY, "here"), SOLE))
                .isEmpty();
        assertThat(dir).isEmptyDirectory();
    }
}
