package io.sluice.admin.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftTextsTest {
    @TempDir
    Path temporary;

    private Path texts(String name, Duration age) throws IOException {
        Path directory = Files.createDirectories(temporary.resolve(name));
        Files.createDirectories(directory.resolve("conf/shop"));
        Files.writeString(directory.resolve("conf/shop/instance.properties"), "canal.instance.dbPassword = secret\n");
        Files.setLastModifiedTime(directory, FileTime.from(Instant.now().minus(age)));
        return directory;
    }

    @Test
    void whatAKilledProcessHasLeftIsDeleted() throws Exception {
        Path left = texts("sluice-check-1", Duration.ofHours(2));
        Path young = texts("sluice-check-2", Duration.ofMinutes(1));
        Path other = texts("other-1", Duration.ofHours(2));
        Path target = texts("elsewhere", Duration.ofHours(2));
        Path link = Files.createSymbolicLink(temporary.resolve("sluice-check-3"), target);

        LeftTexts.delete(temporary);

        assertThat(left).doesNotExist();
        assertThat(young).isDirectory();
        assertThat(other).isDirectory();
        assertThat(target.resolve("conf/shop/instance.properties")).exists();
        assertThat(link).isSymbolicLink();
    }

    /** The names are those of what is written to be checked. */
    @Test
    void theNamesAreThoseOfTheCheck() throws Exception {
        String name = ConfigTexts.read(
                "",
                "shop",
                Optional.empty(),
                Map.of(),
                texts -> String.valueOf(
                        texts.serverFile().getParent().getParent().getFileName()));

        assertThat(name).startsWith(LeftTexts.PREFIX);
    }
}
