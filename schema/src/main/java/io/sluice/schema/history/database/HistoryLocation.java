package io.sluice.schema.history.database;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.mysql.wire.auth.PasswordOptions;
import io.sluice.mysql.wire.tls.TlsOptions;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The database of a schema history, as {@code canal.instance.tsdb.url} names it. */
public sealed interface HistoryLocation {
    /** The end of the name of a file that is named in the URL as an H2 file. */
    String SQLITE_SUFFIX = ".sqlite";

    /**
     * An SQLite file that one process has open at a time.
     *
     * @param file the file; its write-ahead log is in {@code <file>-wal}
     * @param h2 the H2 file of canal, without {@code .mv.db} at its end
     * @param h2Settings H2's settings in the URL, each after a semicolon; may be empty
     */
    record LocalFile(Path file, Path h2, String h2Settings) implements HistoryLocation {
        /** Without H2's settings, among which may be a password. */
        @Override
        public String toString() {
            return "LocalFile[file=%s, h2=%s]".formatted(file, h2);
        }
    }

    /** A schema of a MySQL server, which is created if it is missing. */
    record MySql(ServerAddress address, String schema, TlsOptions tls, PasswordOptions passwords)
            implements HistoryLocation {}

    /**
     * Parses a JDBC URL.
     *
     * <ul>
     *   <li>{@code jdbc:h2:path;SETTING=..}, canal's default, is the SQLite file {@code path.sqlite}
     *   <li>{@code jdbc:sqlite:path} is the SQLite file {@code path}
     *   <li>{@code jdbc:mysql://host:port/schema?..} is a schema of a MySQL server
     * </ul>
     *
     * @param base the directory of a relative path
     * @throws IllegalArgumentException if it is none of them, or has a parameter of TLS that cannot be honoured; the message states what is allowed
     */
    static HistoryLocation parse(String url, Path base) {
        if (url.startsWith("jdbc:h2:")) {
            return h2(url.substring("jdbc:h2:".length()), base);
        }
        if (url.startsWith("jdbc:mysql://")) {
            return mysql(url.substring("jdbc:mysql://".length()), base);
        }
        if (url.startsWith("jdbc:sqlite:")) {
            return sqlite(url.substring("jdbc:sqlite:".length()), base);
        }
        throw new IllegalArgumentException(
                "must be jdbc:h2:<file>, jdbc:sqlite:<file> or jdbc:mysql://<host>:<port>/<schema>");
    }

    /** What is probably not intended in a URL that can be parsed, as sentences without a subject. */
    static List<String> doubts(String url, Path base) {
        int question = url.indexOf('?');
        return url.startsWith("jdbc:mysql://") && question >= 0
                ? new HistoryTls(new DriverParameters(url.substring(question + 1)), base).doubts()
                : List.of();
    }

    /** The SQLite file for the path of an H2 file, which is without {@code .mv.db}. */
    static LocalFile besideH2(Path h2, String settings) {
        return new LocalFile(h2.resolveSibling(h2.getFileName() + SQLITE_SUFFIX), h2, settings);
    }

    private static HistoryLocation h2(String rest, Path base) {
        int semicolon = rest.indexOf(';');
        String path = semicolon < 0 ? rest : rest.substring(0, semicolon);
        String settings = semicolon < 0 ? "" : rest.substring(semicolon);
        if (path.startsWith("file:")) {
            path = path.substring("file:".length());
        }
        if (path.isBlank() || path.startsWith("tcp:") || path.startsWith("mem:") || path.startsWith("ssl:")) {
            throw new IllegalArgumentException("must name a file of this machine: jdbc:h2:<file>");
        }
        return besideH2(
                file(path, base), settings.endsWith(";") ? settings.substring(0, settings.length() - 1) : settings);
    }

    private static HistoryLocation sqlite(String rest, Path base) {
        int question = rest.indexOf('?');
        String path = question < 0 ? rest : rest.substring(0, question);
        if (path.startsWith("file:")) {
            path = path.substring("file:".length());
        }
        if (path.isBlank() || path.startsWith(":")) { // :memory: and :resource: are the driver's
            throw new IllegalArgumentException("must name a file of this machine: jdbc:sqlite:<file>");
        }
        Path file = file(path, base);
        String name = String.valueOf(file.getFileName());
        String stem = name.endsWith(SQLITE_SUFFIX) ? name.substring(0, name.length() - SQLITE_SUFFIX.length()) : name;
        return new LocalFile(file, file.resolveSibling(stem), "");
    }

    private static Path file(String path, Path base) {
        try {
            Path file = path.startsWith("~")
                    ? Path.of(System.getProperty("user.home") + path.substring(1))
                    : base.resolve(path);
            Path whole = file.toAbsolutePath().normalize();
            if (whole.getFileName() == null) {
                throw new IllegalArgumentException("names no file: " + path);
            }
            // H2 takes what follows a semicolon for settings, and some of those run statements.
            if (whole.toString().chars().anyMatch(one -> one == ';' || Character.isISOControl(one))) {
                throw new IllegalArgumentException("names a file with a semicolon or a control character in its path");
            }
            return whole;
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("names no file: " + path, e);
        }
    }

    private static HistoryLocation mysql(String rest, Path base) {
        int question = rest.indexOf('?');
        DriverParameters parameters = new DriverParameters(question < 0 ? "" : rest.substring(question + 1));
        String[] parts = (question < 0 ? rest : rest.substring(0, question)).split("/", 2);
        if (parts.length < 2 || parts[1].isBlank()) {
            throw new IllegalArgumentException("names no schema: jdbc:mysql://<host>:<port>/<schema>");
        }
        if (parts[0].indexOf('@') >= 0) {
            throw new IllegalArgumentException(
                    "must not have a user or a password in it: set canal.instance.tsdb.dbUsername and"
                            + " canal.instance.tsdb.dbPassword");
        }
        if (parts[0].indexOf('(') >= 0) {
            throw new IllegalArgumentException(
                    "must name its server as <host>:<port>, with parameters after a question mark:"
                            + " jdbc:mysql://<host>:<port>/<schema>?<parameter>=<value>");
        }
        if (parts[0].indexOf(',') >= 0) {
            throw new IllegalArgumentException("names several servers, and the history is on one:"
                    + " jdbc:mysql://<host>:<port>/<schema>, with an address that follows the server in charge");
        }
        int colon = parts[0].lastIndexOf(':');
        boolean hasPort = colon > parts[0].lastIndexOf(']');
        String host = hasPort ? parts[0].substring(0, colon) : parts[0];
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        int port;
        try {
            port = hasPort ? Integer.parseInt(parts[0].substring(colon + 1)) : 3306;
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("has no port in " + parts[0], e);
        }
        return new MySql(
                new ServerAddress(host, port),
                parts[1],
                new HistoryTls(parameters, base).options(),
                passwords(parameters, base));
    }

    /** The driver's parameters for the server's public key. */
    private static PasswordOptions passwords(DriverParameters parameters, Path base) {
        return new PasswordOptions(
                parameters.flag("allowPublicKeyRetrieval", false),
                parameters
                        .find("serverRSAPublicKeyFile")
                        .map(file -> base.resolve(file).normalize())
                        .orElse(null),
                false);
    }
}
