package io.sluice.schema.history.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2CopyTest {
    @TempDir
    private Path folder;

    private Path parent;
    private H2File file;

    @BeforeEach
    void writeFile() throws IOException {
        parent = Files.createDirectory(folder.resolve("tmp"));
        file = new H2File(folder.resolve("h2"));
        Files.writeString(file.path(), "content");
    }

    private List<Path> copies() throws IOException {
        try (var list = Files.list(parent)) {
            return list.toList();
        }
    }

    private static void age(Path directory) throws IOException {
        Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    }

    @Test
    void copiesIntoAPrivateDirectoryAndDeletesIt() throws IOException {
        try (H2Copy copy = H2Copy.of(file, parent)) {
            assertThat(copy.file().path()).hasContent("content");
            assertThat(copies())
                    .singleElement()
                    .satisfies(directory -> assertThat(
                                    PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                            .isEqualTo("rwx------"));
        }
        assertThat(copies()).isEmpty();
    }

    @Test
    void deletesWhatAKilledProcessHasLeft() throws IOException {
        Path left = Files.createDirectory(parent.resolve("sluice-h2-1"));
        Files.writeString(left.resolve("lock"), "");
        Files.writeString(left.resolve("h2.mv.db"), "content");
        age(left);
        Path ofEarlierVersion = Files.createDirectory(parent.resolve("sluice-h2-2"));
        Files.writeString(ofEarlierVersion.resolve("h2.mv.db"), "content");
        age(ofEarlierVersion);
        Path young = Files.createDirectory(parent.resolve("sluice-h2-3"));

        H2Copy.of(file, parent).close();

        assertThat(copies()).containsExactly(young);
    }

    @Test
    void keepsACopyThatIsInUse() throws IOException {
        try (H2Copy used = H2Copy.of(file, parent)) {
            age(used.file().path().getParent());
            H2Copy.of(file, parent).close();
            assertThat(used.file().path()).hasContent("content");
        }
    }

    /** A lock of a process ends when that closes any channel on the file, on which it looks for other copies. */
    @Test
    void keepsACopyThatAnotherProcessUsesWhichHasLookedAtItItself() throws Exception {
        try (H2Copy used = H2Copy.of(file, parent)) {
            age(used.file().path().getParent());
            H2Copy.of(file, parent).close();

            Process other = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            OtherProcess.class.getName(),
                            file.stem().toString(),
                            parent.toString())
                    .inheritIO()
                    .start();
            assertThat(other.waitFor()).isZero();

            assertThat(used.file().path()).hasContent("content");
        }
    }

    /** Makes a copy in a process of its own. */
    static final class OtherProcess {
        private OtherProcess() {}

        public static void main(String[] arguments) throws IOException {
            H2Copy.of(new H2File(Path.of(arguments[0])), Path.of(arguments[1])).close();
        }
    }

    @Test
    void closesACopyThatWasDeleted() throws IOException {
        H2Copy copy = H2Copy.of(file, parent);
        Path directory = copy.file().path().getParent();
        for (Path path : List.of(copy.file().path(), directory.resolve("lock"), directory)) {
            Files.delete(path);
        }
        copy.close();
        assertThat(copies()).isEmpty();
    }

    @Test
    void namesTheDirectoryThatCannotBeUsed() {
        Path missing = parent.resolve("missing");
        assertThatThrownBy(() -> H2Copy.of(file, missing))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("in the directory for temporary files, " + missing)
                .hasMessageContaining("-Djava.io.tmpdir=<directory>")
                .hasMessageNotContaining("password");
    }

    @Test
    void failsAsBeforeIfTheFileCannotBeRead() throws IOException {
        Files.delete(file.path());
        assertThatThrownBy(() -> H2Copy.of(file, parent)).isInstanceOf(IOException.class);
        assertThat(copies()).isEmpty();
    }
}
