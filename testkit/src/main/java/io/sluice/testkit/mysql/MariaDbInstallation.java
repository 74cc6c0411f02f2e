package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A MariaDB on disk. */
final class MariaDbInstallation extends Installation {
    private static final String REDO_LOG = "16M";

    private final String scriptPrefix;

    /** @param scriptPrefix what the names of the scripts that make the system tables begin with */
    MariaDbInstallation(Path home, Programs programs, String scriptPrefix) {
        super(home, programs);
        this.scriptPrefix = scriptPrefix;
    }

    /** {@code mariadb-install-db} searches programs in folders of its own, so do what it does. */
    @Override
    void initialise(Path into) {
        try {
            Path data = Files.createDirectory(into.resolve("data"));
            Path script = into.resolve("bootstrap.sql");
            StringBuilder sql = new StringBuilder("""
                    create database mysql;
                    create database test;
                    use mysql;
                    SET @auth_root_socket=NULL, @skip_auth_anonymous=1;
                    """);
            for (String name : List.of(
                    scriptPrefix + "_system_tables",
                    scriptPrefix + "_performance_tables",
                    scriptPrefix + "_system_tables_data",
                    "maria_add_gis_sp_bootstrap",
                    scriptPrefix + "_sys_schema")) {
                Path file = programs().share().resolve(name + ".sql");
                sql.append(Files.readString(file, StandardCharsets.UTF_8)).append('\n');
            }
            Files.writeString(script, sql, StandardCharsets.UTF_8);
            List<String> command = common(data, into);
            command.addAll(List.of(
                    "--bootstrap",
                    "--skip-networking",
                    "--max-allowed-packet=8M",
                    "--innodb-log-file-size=" + REDO_LOG,
                    "--innodb-flush-method=nosync"));
            Commands.Outcome outcome = Commands.run(into, environment(), command, script);
            if (!outcome.isSuccess()) {
                throw new IllegalStateException("%s could not be initialised: %s".formatted(data, outcome.output()));
            }
            copyCertificates(data);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A MySQL makes certificates for itself, which serve as well here. */
    private static void copyCertificates(Path to) throws IOException {
        Path from = Installation.of(ServerRelease.MYSQL_8_0_31).emptyData();
        for (String name : List.of("ca", "server-cert", "server-key", "client-cert", "client-key")) {
            Files.copy(from.resolve(name + ".pem"), to.resolve(name + ".pem"));
        }
    }

    @Override
    Map<String, String> settings(Path data) {
        return Map.of(
                "innodb-log-file-size", REDO_LOG,
                "ssl-ca", data.resolve("ca.pem").toString(),
                "ssl-cert", data.resolve("server-cert.pem").toString(),
                "ssl-key", data.resolve("server-key.pem").toString());
    }

    /** GTIDs are always on here, and rows are compressed where MySQL compresses transactions. */
    @Override
    Map<String, String> translate(Map<String, String> options) {
        Map<String, String> translated = new LinkedHashMap<>(options);
        translated.remove("gtid-mode");
        translated.remove("enforce-gtid-consistency");
        String compression = translated.remove("binlog-transaction-compression");
        if (compression != null) {
            translated.put("log-bin-compress", compression);
            translated.put("log-bin-compress-min-len", "10"); // the least it takes
        }
        return translated;
    }
}
