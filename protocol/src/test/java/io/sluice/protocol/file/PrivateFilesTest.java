package io.sluice.protocol.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrivateFilesTest {
    @TempDir
    Path folder;

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void newFilesAreNotReadableForOtherUsers() throws IOException {
        PrivateFiles.createDirectories(folder.resolve("a/b"));
        Path file = folder.resolve("a/b/c");
        PrivateFiles.createEmpty(file);

        assertThat(mode(folder.resolve("a"))).isEqualTo("rwxr-x---");
        assertThat(mode(folder.resolve("a/b"))).isEqualTo("rwxr-x---");
        assertThat(mode(file)).isEqualTo("rw-r-----");
    }

    @Test
    void existingDirectoriesKeepTheirMode() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), directory);

        PrivateFiles.createDirectories(directory);
        PrivateFiles.createDirectories(link);

        assertThat(mode(directory)).isEqualTo("rwxr-xr-x");
    }

    @ParameterizedTest
    @CsvSource({"rw-r--r--, rw-r-----", "rw-rw-rw-, rw-r-----", "rw-------, rw-------", "rw-r-----, rw-r-----"})
    void aReplacementIsNeverWider(String before, String after) throws IOException {
        Path replaced = Files.writeString(folder.resolve("file"), "old");
        Files.setPosixFilePermissions(replaced, PosixFilePermissions.fromString(before));
        Path next = Files.writeString(folder.resolve("file.tmp"), "left by a crash");
        Files.setPosixFilePermissions(next, PosixFilePermissions.fromString("rw-rw-rw-"));

        try (FileChannel channel = PrivateFiles.create(next, replaced)) {
            channel.write(ByteBuffer.wrap(new byte[] {1}));
        }

        assertThat(mode(next)).isEqualTo(after);
        assertThat(Files.size(next)).isOne();
    }
}
