package io.sluice.testkit.mysql;

import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/** Has a server encrypt its binlog: MariaDB by a plugin that is in another package than the server, MySQL by a component for its keys. */
public final class BinlogEncryption {
    private static final String PLUGIN = "file_key_management";
    private static final String COMPONENT = "component_keyring_file";

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

    /**
     * The options of a MySQL 9.7 that does. The packages of older releases do not have the component.
     *
     * @param folder where the key is, with a copy of the program: what it loads first is stated beside it
     */
    public static MySqlOptions encryptingOfMySql(MySqlOptions options, Path folder) {
        Installation installation = Installation.of(options.release());
        try {
            Path plugins = Files.createDirectories(folder.resolve("components"));
            Path shared = installation.programs().base().resolve("lib/mysql/plugin");
            for (String component : List.of(COMPONENT, "component_reference_cache")) {
                Files.copy(shared.resolve(component + ".so"), plugins.resolve(component + ".so"));
            }
            Files.writeString(
                    plugins.resolve(COMPONENT + ".cnf"),
                    "{\"path\": \"%s\", \"read_only\": false}".formatted(folder.resolve("keys")));
            Path program = folder.resolve("mysqld");
            Files.copy(installation.program(), program, StandardCopyOption.COPY_ATTRIBUTES);
            Files.writeString(folder.resolve("mysqld.my"), "{\"components\": \"file://%s\"}".formatted(COMPONENT));
            return options.program(program)
                    .with("plugin-dir", plugins.toString())
                    .with("binlog-encryption", "ON");
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
