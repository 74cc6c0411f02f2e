package io.sluice.server.config.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copy of an admin server's configuration. */
class TextCopyTest {
    private static final URI ADDRESS = URI.create("http://127.0.0.1:8089");
    private static final RemoteTexts TEXTS =
            new RemoteTexts("a = \"1\"\\\n# 中文\n", Map.of("shop", "canal.instance.dbPassword = x\n"));
    private static final Instant TIME = Instant.parse("2026-03-01T10:00:00Z");

    @TempDir
    Path folder;

    private TextCopy copy;

    @BeforeEach
    void prepare() {
        copy = new TextCopy(folder.resolve("copy.json"), ADDRESS);
    }

    @Test
    void readsWhatWasWrittenAndTheOwnerAloneCan() throws Exception {
        assertThat(copy.read()).isEmpty();
        copy.write(new RemoteTexts("older", Map.of()), TIME.minusSeconds(9));

        copy.write(TEXTS, TIME);

        assertThat(copy.read()).contains(new TextCopy.Saved(TEXTS, TIME));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy.file())))
                .isEqualTo("rw-------");
        assertThat(folder).isDirectoryContaining(file -> file.equals(copy.file()));
        assertThat(folder.toFile().list()).hasSize(1);
    }

    @Test
    void aCopyOfAnotherAdminServerIsNotUsed() throws Exception {
        copy.write(TEXTS, TIME);

        assertThatThrownBy(new TextCopy(copy.file(), URI.create("http://other:8089"))::read)
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("copy.json", "another admin server", "http://127.0.0.1:8089");
    }

    @Test
    void aDamagedCopyIsSaidAndNeverReadInPart() throws Exception {
        copy.write(TEXTS, TIME);
        String right = Files.readString(copy.file());
        Random random = new Random(7);
        for (int round = 0; round < 500; round++) {
            byte[] bytes =
                    right.substring(0, random.nextInt(right.length() - 1)).getBytes(StandardCharsets.UTF_8);
            Files.write(copy.file(), bytes);

            assertThatThrownBy(copy::read).isInstanceOf(IOException.class).hasMessageContaining("copy.json");
        }
    }
}
