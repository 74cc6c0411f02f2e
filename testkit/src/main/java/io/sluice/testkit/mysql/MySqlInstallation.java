package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A version of the server on disk: its programs, an empty data folder to copy, and its command line. */
final class MySqlInstallation {
    private static final String ARCHIVE = "mysql-Linux-amd64.tar.gz";

    private final MySqlVersion version;
    private final Path home;
    private final Path programs;
    private final Map<String, String> environment;

    private MySqlInstallation(MySqlVersion version, Path home, Path programs, Map<String, String> environment) {
        this.version = version;
        this.home = home;
        this.programs = programs;
        this.environment = environment;
    }

    static MySqlInstallation of(MySqlVersion version) {
        Path servers = Folders.servers();
        Path home = servers.resolve(version.folder());
        Path archive = home.resolve(ARCHIVE);
        Path programs = OncePerBuild.folder(home.resolve("server"), into -> {
            if (!Files.exists(archive)) {
                throw new IllegalStateException(archive + " is missing: build the module testkit first");
            }
            Commands.require(into, Map.of(), List.of("tar", "xzf", archive.toString()));
        });
        return new MySqlInstallation(version, home, programs, NativeLibraries.environment(servers));
    }

    Map<String, String> environment() {
        return environment;
    }

    /** Fills a data folder that does not exist yet. Initialising takes seconds, so it is done once and copied. */
    void createData(Path data) {
        Path template = OncePerBuild.folder(home.resolve("data"), this::initialise);
        Folders.copy(template.resolve("data"), data);
    }

    private void initialise(Path into) {
        List<String> command = common(into.resolve("data"));
        command.addAll(List.of(
                "--initialize-insecure",
                "--skip-log-bin",
                "--innodb-doublewrite=0",
                "--innodb-redo-log-capacity=8M",
                "--innodb-flush-method=nosync",
                "--log-error=" + into.resolve("initialise.log")));
        Commands.Outcome outcome = Commands.run(into, environment, command);
        if (!outcome.isSuccess()) {
            throw new IllegalStateException("%s could not be initialised, see %s.unfinished/initialise.log: %s"
                    .formatted(version, home.resolve("data"), outcome.output()));
        }
    }

    List<String> startCommand(Path data, Path socket, int port, MySqlOptions options) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("server-id", "1");
        settings.put("log-bin", "binlog");
        settings.put("binlog-format", "ROW");
        settings.put("mysqlx", "OFF");
        settings.put("log-error-verbosity", "2");
        settings.put("performance-schema", "OFF");
        settings.put("innodb-buffer-pool-size", "64M");
        settings.put("innodb-redo-log-capacity", "32M");
        settings.put("innodb-doublewrite", "0");
        settings.put("innodb-flush-log-at-trx-commit", "2"); // 0 would lose commits, which the binlog has, at a kill
        settings.put("innodb-flush-method", "nosync");
        settings.put("sync-binlog", "0");
        settings.put("max-connections", "100");
        settings.put("table-open-cache", "256");
        settings.putAll(options.settings());
        List<String> command = common(data);
        command.add("--bind-address=127.0.0.1");
        command.add("--port=" + port);
        command.add("--socket=" + socket);
        command.add("--pid-file=" + socket.resolveSibling("pid"));
        settings.forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    private List<String> common(Path data) {
        List<String> command = new ArrayList<>(List.of(
                programs.resolve("bin/mysqld").toString(),
                "--no-defaults", // must come first
                "--basedir=" + programs,
                "--datadir=" + data,
                "--lc-messages-dir=" + programs.resolve("share"),
                "--secure-file-priv=NULL"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root"); // which mysqld refuses unless told
        }
        return command;
    }
}
