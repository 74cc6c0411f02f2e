package io.sluice.admin.fleet.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.database.DatabaseProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenVaultTest {
    @TempDir
    Path folder;

    private TokenVault vault() throws IOException {
        return new TokenVault(new DatabaseProperties(
                null, null, null, folder.resolve("data/admin.db").toString()));
    }

    @Test
    void keepsTokensWithAKeyOfItsOwn() throws Exception {
        String sealed = vault().seal(7, "sluice_secret");

        assertThat(sealed).doesNotContain("secret").isNotEqualTo(vault().seal(7, "sluice_secret"));
        assertThat(vault().open(7, sealed)).isEqualTo("sluice_secret");
        Path key = folder.resolve("data/admin.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    @Test
    void aTokenOpensForItsServerAndKeyOnly() throws Exception {
        String sealed = vault().seal(7, "sluice_secret");

        assertThat(vault().open(8, sealed)).isNull();
        assertThat(vault().open(7, sealed.substring(0, sealed.length() - 8) + "AAAAAAA="))
                .isNull();
        assertThat(vault().open(7, "v1:AAAA")).isNull();
        assertThat(vault().open(7, "plain")).isNull();
        Files.delete(folder.resolve("data/admin.key"));
        assertThat(vault().open(7, sealed)).isNull();
    }

    @Test
    void takesAwayThePermissionsOfOthers() throws Exception {
        String sealed = vault().seal(7, "sluice_secret");
        Path key = folder.resolve("data/admin.key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(vault().open(7, sealed)).isEqualTo("sluice_secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
    }

    @Test
    void aBrokenKeyIsReported() throws Exception {
        Files.createDirectories(folder.resolve("data"));
        Files.writeString(folder.resolve("data/admin.key"), "no key");

        assertThatThrownBy(this::vault).isInstanceOf(IOException.class).hasMessageContaining("admin.key is no key");
    }
}
