package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A MySQL or MariaDB server on a free port of 127.0.0.1, where {@code root} has no password.
 *
 * <p>It can be stopped, killed and started again on the same port with the same data. It writes a binlog, and nothing
 * waits for the disk. Its data are gone once it is closed, unless the options named a folder for them. It never outlives
 * this JVM.
 *
 * <p>For one thread at a time, connections aside.
 */
public final class MySqlServer extends RestartableServer {
    /** What the system takes as a socket's path. */
    private static final int MAX_SOCKET_PATH_LENGTH = 106;

    private final MySqlOptions options;
    private final Installation installation;
    private final Path folder;
    private final Path data;
    private int port = FreePorts.next();

    private MySqlServer(MySqlOptions options, Installation installation, Path folder, Path data) {
        this.options = options;
        this.installation = installation;
        this.folder = folder;
        this.data = data;
    }

    /** Starts a server with the defaults. */
    public static MySqlServer start() {
        return start(MySqlOptions.defaults());
    }

    /** Starts a server of a release, with the defaults otherwise. */
    public static MySqlServer start(ServerRelease release) {
        return start(MySqlOptions.defaults().release(release));
    }

    /**
     * Starts a server and returns when it answers.
     *
     * @throws io.sluice.testkit.debian.ServerUnavailableException if its release is not available, which skips a test
     */
    public static MySqlServer start(MySqlOptions options) {
        Installation installation = Installation.of(options.release());
        Path folder = Folders.temporary("sluice-mysql-");
        Path wanted = options.dataDirectory();
        Path data = wanted == null ? folder.resolve("data") : wanted;
        MySqlServer server = new MySqlServer(options, installation, folder, data);
        return startOrClose(server, () -> {
            if (!Files.isDirectory(data)) {
                installation.createData(data);
                Folders.delete(data.resolve("auto.cnf")); // else all servers would have one UUID
            }
            server.launchOnFreePorts();
        });
    }

    /** What kind of server it is. */
    public ServerRelease release() {
        return options.release();
    }

    /** Always 127.0.0.1. */
    public String host() {
        return "127.0.0.1";
    }

    /** Its port on 127.0.0.1, which does not change as long as the server lives. */
    public int port() {
        return port;
    }

    /** A URL without user and schema. */
    public String jdbcUrl() {
        return "jdbc:mysql://" + host() + ":" + port
                + "/?sslMode=DISABLED&allowPublicKeyRetrieval=true&rewriteBatchedStatements=true";
    }

    /** A new connection of {@code root}. */
    public Connection connect() throws SQLException {
        return connect("root", "");
    }

    /** A new connection. */
    public Connection connect(String user, String password) throws SQLException {
        return DriverManager.getConnection(jdbcUrl(), user, password);
    }

    /** Runs statements as {@code root}, one after the other, on one connection. */
    public void execute(String... statements) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("could not run " + String.join("; ", statements), e);
        }
    }

    /** The first column of the first row as text, asked as {@code root}; null if it is NULL or there is no row. */
    public @Nullable String query(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        } catch (SQLException e) {
            throw new IllegalStateException("could not run " + sql, e);
        }
    }

    /** Makes a user that may log in from any host, and nothing else. */
    public void createUser(String name, String password, AuthPlugin plugin) {
        String identified = release().isMariaDb() ? "VIA %s USING PASSWORD('%s')" : "WITH %s BY '%s'";
        execute("CREATE USER '%s'@'%%' IDENTIFIED ".formatted(name)
                + identified.formatted(plugin.sqlName(), password.replace("'", "''")));
    }

    /**
     * The sessions that read the binlog now. Asked by {@code SHOW}: in {@code information_schema} a statement that is
     * running and has an emoji would make this query fail.
     */
    public List<Long> dumps() {
        List<Long> dumps = new ArrayList<>();
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW PROCESSLIST")) {
            while (rows.next()) {
                if (rows.getString("Command").startsWith("Binlog Dump")) {
                    dumps.add(rows.getLong("Id"));
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("could not read the list of sessions", e);
        }
        return dumps;
    }

    /** Makes a user that may read the binlog and all tables, from any host. */
    public void createReplicationUser(String name, String password, AuthPlugin plugin) {
        createUser(name, password, plugin);
        execute("GRANT SELECT, RELOAD, REPLICATION SLAVE, REPLICATION CLIENT ON *.* TO '%s'@'%%'".formatted(name));
    }

    /** The position of the next event. */
    public BinlogEnd binlogEnd() {
        boolean isMariaDb = release().isMariaDb();
        String status = release() == ServerRelease.MYSQL_9_7 ? "SHOW BINARY LOG STATUS" : "SHOW MASTER STATUS";
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(status)) {
            if (!rows.next()) {
                throw new IllegalStateException("the server writes no binlog");
            }
            String file = rows.getString(1);
            long offset = rows.getLong(2);
            String gtids = isMariaDb ? query("SELECT @@gtid_binlog_pos") : rows.getString(5);
            return new BinlogEnd(file, offset, gtids == null ? "" : gtids.replace("\n", ""));
        } catch (SQLException e) {
            throw new IllegalStateException("could not read the end of the binlog", e);
        }
    }

    /** Starts a new binlog file and returns the position of its first event. */
    public BinlogEnd rotateBinlog() {
        execute("FLUSH BINARY LOGS");
        return binlogEnd();
    }

    /** The folder that holds the binlog's files and its index. */
    public Path binlogDirectory() {
        return data;
    }

    /** The certificate, in PEM, of the authority that signed the server's own, which the server made for itself. */
    public Path caCertificate() {
        return data.resolve("ca.pem");
    }

    /** The server's public RSA key, in PEM, under which passwords are sent to it; MySQL only. */
    public Path publicKey() {
        return data.resolve("public_key.pem");
    }

    /** Where the server writes its log. */
    public Path log() {
        return folder.resolve("log");
    }

    /** Ends the server at once and deletes its data, unless the options named a folder for them. */
    @Override
    public void close() {
        if (options.dataDirectory() != null) {
            stop();
        } else {
            killProcess(); // the data are not needed, so do not wait for them to be written
        }
        Folders.delete(folder);
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
    }

    @Override
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return !FreePorts.isFree(port) || String.valueOf(failure.getMessage()).contains("already in use");
    }

    @Override
    protected ServerProcess startProcess() {
        Path socket = folder.resolve("s");
        if (socket.toString().length() > MAX_SOCKET_PATH_LENGTH) {
            throw new IllegalStateException("the path of the temporary folder is too long for a socket: " + socket
                    + ". Set -Djava.io.tmpdir to a shorter one");
        }
        return ServerProcess.start(
                installation.startCommand(data, socket, port, options), installation.environment(), folder, log());
    }

    @Override
    protected String description() {
        return release() + " on port " + port;
    }

    @Override
    protected boolean answers() {
        if (!FreePorts.isListening(port)) {
            return false;
        }
        try (Connection connection = connect()) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }
}
