package io.sluice.testkit.debian;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DebianRootIT {
    private static final DebianRoot.Wanted NONE =
            new DebianRoot.Wanted("no-such-suite", "mysql-server-core", "9.7", "usr/sbin/mysqld");

    @TempDir
    private Path home;

    @Test
    void reportsOnceWhyAPackageCannotBeFetched() throws Exception {
        Path folder = home.resolve("root");
        assertThatThrownBy(() -> DebianRoot.of(folder, NONE))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("mysql-server-core 9.7 of Debian no-such-suite cannot be fetched");
        assertThat(folder).doesNotExist();

        Path failure = home.resolve("unavailable");
        Files.writeString(failure, "told before");
        assertThatThrownBy(() -> DebianRoot.of(folder, NONE))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessage("told before");

        Files.setLastModifiedTime(failure, FileTime.from(Instant.EPOCH));
        assertThatThrownBy(() -> DebianRoot.of(folder, NONE)).hasMessageContaining("cannot be fetched");
    }

    @Test
    void rejectsAnotherVersion() {
        DebianRoot.Wanted small = new DebianRoot.Wanted("bookworm", "hostname", "9.7", "usr/bin/hostname");

        assertThatThrownBy(() -> DebianRoot.of(home.resolve("root"), small))
                .isInstanceOf(ServerUnavailableException.class)
                .hasMessageContaining("hostname 9.7 of Debian bookworm");
        assertThat(home.resolve("root")).doesNotExist();
    }
}
