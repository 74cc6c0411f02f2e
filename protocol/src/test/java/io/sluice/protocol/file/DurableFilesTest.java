package io.sluice.protocol.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void prepare() throws IOException {
        file = Files.createDirectory(folder.resolve("directory")).resolve("file");
    }

    /** Without the last step a power failure could bring back the file before, after a caller was told that it was replaced. */
    @Test
    void theRenameIsForcedToTheDiskToo() throws IOException {
        RecordedFiles files = new RecordedFiles(file.getFileSystem());

        DurableFiles.replace(files.recorded(file), text("first"));
        DurableFiles.replaceForOwner(files.recorded(file), text("second"));

        assertThat(files.record())
                .containsExactly(
                        "write file.tmp",
                        "rename file.tmp file",
                        "read directory",
                        "write file.tmp",
                        "rename file.tmp file",
                        "read directory");
        assertThat(file).hasContent("second");
    }

    @Test
    void noOtherUserCanReadAReplacementAndNoDraftIsLeft() throws IOException {
        Files.writeString(file, "older, and longer");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
        Files.writeString(file.resolveSibling("file.tmp"), "left by a crash, and longer");

        DurableFiles.replace(file, text("first"));
        assertThat(file).hasContent("first");
        assertThat(mode()).isEqualTo("rw-r-----");

        DurableFiles.replaceForOwner(file, text("second"));
        assertThat(file).hasContent("second");
        assertThat(mode()).isEqualTo("rw-------");
        assertThat(file.resolveSibling("")).isDirectoryContaining(path -> path.equals(file));
        assertThat(file.getParent().toFile().list()).hasSize(1);
    }

    @Test
    void aFailureLeavesTheFileAsItWas() throws IOException {
        Files.writeString(file, "before");
        Files.createDirectories(file.resolveSibling("file.tmp").resolve("a directory where a file should be"));

        assertThatThrownBy(() -> DurableFiles.replace(file, text("after"))).isInstanceOf(IOException.class);
        assertThat(file).hasContent("before");
    }

    @Test
    void anInterruptDoesNotKeepANameFromTheDisk() throws IOException {
        Thread.currentThread().interrupt();

        DurableFiles.forceDirectory(folder);

        assertThat(Thread.interrupted()).isTrue();
    }

    private String mode() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private static ByteBuffer text(String text) {
        return StandardCharsets.UTF_8.encode(text);
    }
}
