package io.sluice.server.cursor;

import io.sluice.server.config.Configuration;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.ha.zookeeper.ClusterView;
import io.sluice.store.cursor.file.FileCursorEditor;
import java.util.Optional;

/** Opens the cursor stores of all instances of a configuration: local files or ZooKeeper. */
public final class CursorAdmin implements AutoCloseable {
    private final Configuration configuration;
    private final Runners runners;
    private final Optional<ClusterView> cluster;

    /**
     * What the caller knows of a server that runs instances with cursors in files, for sentences.
     *
     * @param known the server that runs them, whatever the locks of their files state; empty: these decide
     * @param suspected the server that counts as the one that runs an instance whose file cannot be locked
     */
    private record Runners(Optional<String> known, Optional<String> suspected) {}

    /**
     * Opens it for the server that runs the instances that it is asked about; it waits for ZooKeeper, if there is one, a few seconds at most.
     *
     * @throws CursorRejectedException if ZooKeeper does not answer
     */
    public static CursorAdmin ofRunner(Configuration configuration, String server) throws CursorRejectedException {
        return new CursorAdmin(configuration, new Runners(Optional.of(server), Optional.empty()));
    }

    /**
     * Opens it; it waits for ZooKeeper, if there is one, a few seconds at most. Whether an instance with its cursor in a file runs is seen from
     * the lock of the file.
     *
     * @param server this machine's server, if it runs, for a sentence: it counts as running an instance whose file cannot be locked
     * @throws CursorRejectedException if ZooKeeper does not answer
     */
    public CursorAdmin(Configuration configuration, Optional<String> server) throws CursorRejectedException {
        this(configuration, new Runners(Optional.empty(), server));
    }

    private CursorAdmin(Configuration configuration, Runners runners) throws CursorRejectedException {
        this.configuration = configuration;
        this.runners = runners;
        Optional<ClusterConfig> config = configuration.server().cluster();
        this.cluster = config.map(ClusterView::open);
        if (cluster.isPresent() && !cluster.get().awaitConnection()) {
            close();
            throw new CursorRejectedException("ZooKeeper does not answer: "
                    + config.map(ClusterConfig::connectString).orElse(""));
        }
    }

    /**
     * Opens it over a view of the cluster that is connected, and is closed here.
     *
     * @param cluster empty if there is no ZooKeeper
     * @param server as above
     */
    public CursorAdmin(Configuration configuration, Optional<String> server, Optional<ClusterView> cluster) {
        this.configuration = configuration;
        this.runners = new Runners(Optional.empty(), server);
        this.cluster = cluster;
    }

    /**
     * The cursors of an instance.
     *
     * @throws CursorRejectedException if there is no such instance, or it keeps none
     */
    public InstanceCursors of(String destination) throws CursorRejectedException {
        InstanceConfig instance = configuration.instances().stream()
                .filter(any -> any.destination().equals(destination))
                .findFirst()
                .orElseThrow(() -> new CursorRejectedException(
                        "there is no destination " + destination + "; the configuration has "
                                + String.join(
                                        ", ",
                                        configuration.instances().stream()
                                                .map(InstanceConfig::destination)
                                                .toList())));
        Optional<String> owner = cluster.flatMap(view -> view.owner(destination));
        return switch (instance.cursor().kind()) {
            case MEMORY ->
                throw new CursorRejectedException(
                        destination + " keeps its cursor in memory only (memory-instance.xml)");
            case FILE -> {
                FileCursorEditor editor = new FileCursorEditor(
                        instance.cursor().directory().resolve("..").normalize(), destination);
                yield new InstanceCursors(
                        instance,
                        editor,
                        runners.known()
                                .or(() -> editor.holder(runners.suspected()))
                                .or(() -> owner));
            }
            case ZOOKEEPER ->
                new InstanceCursors(
                        instance,
                        cluster.orElseThrow(() -> new CursorRejectedException("canal.zkServers is not set"))
                                .cursors(destination),
                        owner);
        };
    }

    @Override
    public void close() {
        cluster.ifPresent(ClusterView::close);
    }
}
