package io.sluice.testkit.mysql;

import io.sluice.testkit.debian.DebianRoot;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A release on disk: its programs, an empty data folder to copy, and its command line. */
abstract class Installation {
    private final Path home;
    private final Programs programs;

    Installation(Path home, Programs programs) {
        this.home = home;
        this.programs = programs;
    }

    static Installation of(ServerRelease release) {
        Path home = Folders.servers().resolve(release.folder());
        return switch (release) {
            case MYSQL_5_7_22, MYSQL_8_0_15, MYSQL_8_0_31 ->
                new MySqlInstallation(release, home, Programs.ofMaven(home));
            case MYSQL_9_7 ->
                new MySqlInstallation(release, home, debian(home, "sid", "mysql", "9.7", "mysqld", "mysql"));
            case MARIADB_10_11 ->
                new MariaDbInstallation(
                        home, debian(home, "bookworm", "mariadb", "10.11", "mariadbd", "mysql"), "mysql");
            case MARIADB_11_8 ->
                new MariaDbInstallation(
                        home, debian(home, "trixie", "mariadb", "11.8", "mariadbd", "mariadb"), "mariadb");
        };
    }

    private static Programs debian(
            Path home, String suite, String product, String version, String daemon, String share) {
        return Programs.ofDebian(
                home, new DebianRoot.Wanted(suite, product + "-server-core", version, "usr/sbin/" + daemon), share);
    }

    /** Makes a data folder in {@code into}, which exists and is empty, by the name {@code data}. */
    abstract void initialise(Path into);

    /** The default options of a server of this kind. */
    abstract Map<String, String> settings(Path data);

    /** Options by the names of this kind of server; those that it does not have are left out. */
    Map<String, String> translate(Map<String, String> options) {
        return options;
    }

    /** The program of the server itself. */
    final Path program() {
        return Path.of(programs.daemon().get(programs.daemon().size() - 1));
    }

    final Programs programs() {
        return programs;
    }

    final Map<String, String> environment() {
        return programs.environment();
    }

    /** Fills a data folder that does not exist yet. Initialising takes seconds, so it is done once and copied. */
    final void createData(Path data) {
        Folders.copy(emptyData(), data);
    }

    /** The data folder that new servers get a copy of. */
    final Path emptyData() {
        return OncePerBuild.folder(home.resolve("data"), this::initialise).resolve("data");
    }

    final List<String> startCommand(Path data, Path socket, int port, MySqlOptions options) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("server-id", "1");
        settings.put("log-bin", "binlog");
        settings.put("binlog-format", "ROW");
        settings.put("performance-schema", "OFF");
        settings.put("innodb-buffer-pool-size", "64M");
        settings.put("innodb-doublewrite", "0");
        settings.put("innodb-flush-log-at-trx-commit", "2"); // 0 would lose commits, which the binlog has, at a kill
        settings.put("innodb-flush-method", "nosync");
        settings.put("sync-binlog", "0");
        settings.put("max-connections", "100");
        settings.put("table-open-cache", "256");
        settings.putAll(settings(data));
        settings.putAll(translate(options.settings()));
        List<String> command = common(data, Objects.requireNonNull(socket.getParent()));
        if (options.program() != null) {
            command.set(programs.daemon().size() - 1, options.program().toString());
        }
        command.add("--bind-address=127.0.0.1");
        command.add("--port=" + port);
        command.add("--socket=" + socket);
        command.add("--pid-file=" + socket.resolveSibling("pid"));
        settings.forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    /**
     * The server's command with what it needs to find itself.
     *
     * @param temporary a folder of this server's own: MariaDB deletes the temporary tables of others where it starts
     */
    final List<String> common(Path data, Path temporary) {
        List<String> command = new ArrayList<>(programs.daemon());
        command.addAll(List.of(
                "--no-defaults", // must come first
                "--basedir=" + programs.base(),
                "--datadir=" + data,
                "--tmpdir=" + temporary,
                "--lc-messages-dir=" + programs.share(),
                "--character-sets-dir=" + programs.share().resolve("charsets")));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--user=root"); // which the server rejects unless it is set
        }
        return command;
    }
}
