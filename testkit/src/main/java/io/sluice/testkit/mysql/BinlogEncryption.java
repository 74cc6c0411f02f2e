package io.sluice.testkit.mysql;

import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Has a MariaDB encrypt its binlog, by a plugin that is in another package than the server. */
public final class BinlogEncryption {
    private static final String PLUGIN = "file_key_management";

    private BinlogEncryption() {}

    /**
     * The options of a MariaDB that does.
     *
     * @param folder where the file with the key is written
     * @throws io.sluice.testkit.debian.ServerUnavailableException if the plugin is not available, which skips a test
     */
    public static MySqlOptions encrypting(MySqlOptions options, Path folder) {
        try {
            Path keys = Files.writeString(
                    folder.resolve("keys"), "1;" + "0123456789abcdef".repeat(4) + "\n", StandardCharsets.US_ASCII);
            return options.with("plugin-dir", plugins(options.release()).toString())
                    .with("plugin-load-add", PLUGIN)
                    .with("file-key-management-filename", keys.toString())
                    .with("encrypt-binlog", "ON");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path plugins(ServerRelease release) throws IOException {
        Path home = Folders.servers().resolve(release.folder());
        String suite = release == ServerRelease.MARIADB_10_11 ? "bookworm" : "trixie";
        Path unpacked = DebianRoot.ofPackageAlone(home.resolve("plugins"), suite, "mariadb-server");
        try (Stream<Path> files = Files.walk(unpacked)) {
            return files.filter(file -> file.endsWith(PLUGIN + ".so"))
                    .findFirst()
                    .map(Path::getParent)
                    .orElseThrow(() -> new IllegalStateException("no " + PLUGIN + " in " + unpacked));
        }
    }
}
