package io.sluice.admin.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.RunningAdmin;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteLibraryTest {
    private static final String NAME = "sqlite-3.50.1.0-ab0ba870-5f34-4e4c-8c2b-6a51f0a0e0c1-libsqlitejdbc.so";

    @TempDir
    Path data;

    /** The driver takes what has a lock file for one that is in use. */
    @Test
    void librariesThatACrashHasLeftBesideTheDatabaseAreDeletedByTheServerThatHasItLocked() throws Exception {
        Path library = Files.writeString(data.resolve(NAME), "unpacked");
        Path lock = Files.createFile(data.resolve(NAME + ".lck"));
        Path other = Files.createFile(data.resolve("sqlite-notes.txt"));

        try (RunningAdmin admin = RunningAdmin.start(data)) {
            assertThat(library).doesNotExist();
            assertThat(lock).doesNotExist();
            assertThat(other).exists();

            Files.writeString(library, "of a server that runs");
            assertThatThrownBy(() -> RunningAdmin.start(data).close());
            assertThat(library).exists();
        }
    }
}
