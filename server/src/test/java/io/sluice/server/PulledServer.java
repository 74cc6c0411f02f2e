package io.sluice.server;

import static org.awaitility.Awaitility.await;

import io.sluice.client.ChangeBatch;
import io.sluice.client.PullClient;
import io.sluice.client.TableChange;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.control.ReloadReport;
import io.sluice.testkit.canal.CanalClient;
import io.sluice.testkit.mysql.AuthPlugin;
import io.sluice.testkit.mysql.BinlogEnd;
import io.sluice.testkit.mysql.MySqlServer;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A whole server with one instance that clients pull, in this JVM: configuration files, MySQL, a port. */
final class PulledServer implements AutoCloseable {
    static final String DESTINATION = "example";
    private static final String USER = "canal";
    static final String PASSWORD = "carry them all";

    private final Path home = Folders.temporary("sluice-pulled-");
    private final Map<String, String> serverSettings = new LinkedHashMap<>();
    private final Map<String, String> instanceSettings;
    private SluiceServer server;
    private volatile Runnable beforeReading = () -> {};

    /**
     * Prepares a server that begins where the binlog ends now; {@link #start} starts it.
     *
     * @param settings more of the server's configuration
     */
    PulledServer(MySqlServer mysql, Map<String, String> settings) {
        this(mysql, settings, Map.of());
    }

    /**
     * Prepares a server with more of its configuration, and of the instance's, which wins.
     *
     * @param more more of the instance's configuration
     */
    PulledServer(MySqlServer mysql, Map<String, String> settings, Map<String, String> more) {
        BinlogEnd start = mysql.rotateBinlog();
        Map<String, String> all = serverSettings;
        all.put("canal.serverMode", "tcp");
        all.put("canal.ip", "127.0.0.1");
        all.put("canal.port", "0");
        all.put("canal.destinations", DESTINATION);
        all.putAll(settings);
        write("canal.properties", all);
        Map<String, String> instance = new LinkedHashMap<>(Map.of(
                "canal.instance.master.address",
                mysql.host() + ":" + mysql.port(),
                "canal.instance.dbUsername",
                USER,
                "canal.instance.dbPassword",
                PASSWORD,
                "canal.instance.master.journal.name",
                start.file(),
                "canal.instance.master.position",
                Long.toString(start.offset()),
                "canal.instance.tsdb.enable",
                "false"));
        instance.putAll(more);
        instanceSettings = instance;
        write(DESTINATION + "/instance.properties", instance);
    }

    /** Makes the user that all servers replicate as. */
    static void allow(MySqlServer mysql) {
        mysql.createReplicationUser(USER, PASSWORD, AuthPlugin.CACHING_SHA2_PASSWORD);
    }

    private void write(String file, Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        settings.forEach(
                (key, value) -> text.append(key).append(" = ").append(value).append('\n'));
        try {
            Path path = home.resolve("conf").resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void start() throws IOException, ConfigException {
        ConfigReader reader = new ServerFiles(home).reader();
        server = SluiceServer.start(reader.load(), () -> {
            beforeReading.run();
            return reader.read();
        });
    }

    /** Has something happen whenever the configuration is read again. */
    void beforeReading(Runnable task) {
        beforeReading = task;
    }

    /** Changes the file of the server's configuration. */
    void writeServer(String key, String value) {
        serverSettings.put(key, value);
        write("canal.properties", serverSettings);
    }

    /** Changes the file of the instance's configuration. */
    void writeInstance(Map<String, String> settings) {
        instanceSettings.putAll(settings);
        write(DESTINATION + "/instance.properties", instanceSettings);
    }

    /** Changes the server's configuration, and has it read again. */
    ReloadReport reload(String key, String value) {
        writeServer(key, value);
        return server.operations().reload();
    }

    void stop() {
        server.stop(Duration.ofSeconds(10));
    }

    SluiceServer server() {
        return server;
    }

    int port() {
        return server.port().orElseThrow().address().getPort();
    }

    CanalClient.Target target() {
        return CanalClient.Target.of(port(), DESTINATION);
    }

    /** Where the instance's data is. */
    Path directory() {
        return home.resolve("conf").resolve(DESTINATION);
    }

    /** The stored subscriptions and cursors of the clients; empty if there are none yet. */
    String metaFile() throws IOException {
        return Files.exists(metaPath()) ? Files.readString(metaPath()) : "";
    }

    /** Replaces the stored subscriptions and cursors of the clients, before a start. */
    void writeMetaFile(String text) throws IOException {
        Files.writeString(metaPath(), text);
    }

    /** Pulls and acks until so many rows have come; returns their first columns. */
    static List<String> ids(PullClient client, int count) {
        List<String> ids = new ArrayList<>();
        await().pollDelay(Duration.ZERO).until(() -> {
            ChangeBatch batch = client.getWithoutAck(100, Duration.ofMillis(100));
            for (TableChange change : batch.changes()) {
                change.rows().forEach(row -> ids.add(row.newest().text("id")));
            }
            client.ack(batch);
            return ids.size() >= count;
        });
        return ids;
    }

    private Path metaPath() {
        return directory().resolve("meta.dat");
    }

    @Override
    public void close() {
        if (server != null) {
            stop();
        }
        Folders.delete(home);
    }
}
