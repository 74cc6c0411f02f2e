package io.sluice.server.config.read;

import io.sluice.mysql.wire.ServerAddress;
import io.sluice.schema.history.HistoryConfig;
import io.sluice.schema.history.database.HistoryLocation;
import io.sluice.server.config.cluster.ClusterConfig;
import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.config.instance.CursorKind;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.key.ClusterKeys;
import io.sluice.server.config.key.PullKeys;
import io.sluice.server.config.key.SchemaKeys;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Origin;
import io.sluice.server.config.text.PropertiesFile;
import io.sluice.server.config.text.Setting;
import io.sluice.server.config.text.Settings;
import io.sluice.server.config.text.Warning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads how this server shares its destinations with others. */
final class ClusterReader {
    private final Settings settings;
    private final Environment environment;
    private final boolean isAddressKnown;

    /** Where instances name servers of their own, by the instances. */
    private final Map<String, Origin> ownServers = new HashMap<>();

    /** @param isAddressKnown whether the environment has the address of the machine on which the server runs, and not a substitute */
    ClusterReader(Settings settings, Environment environment, boolean isAddressKnown) {
        this.settings = settings;
        this.environment = environment;
        this.isAddressKnown = isAddressKnown;
    }

    /**
     * Reads it; empty if the server is alone.
     *
     * @param warnings gets what is probably not intended
     */
    Optional<ClusterConfig> read(ServerMode mode, Set<Warning> warnings) {
        return settings.find(ClusterKeys.ZOOKEEPER)
                .map(connectString -> new ClusterConfig(
                        connectString,
                        new ServerAddress(host(mode, warnings), Math.max(1, settings.get(PullKeys.PORT))).toString(),
                        settings.get(ClusterKeys.SESSION_TIMEOUT),
                        settings.get(ClusterKeys.BALANCE_DELAY),
                        access()));
    }

    private ZooKeeperAccess access() {
        Optional<ZooKeeperAccess.Tls> tls = settings.get(ClusterKeys.TLS)
                ? Optional.of(new ZooKeeperAccess.Tls(
                        settings.findKeyStore(ClusterKeys.TRUST_TYPE, ClusterKeys.TRUST, ClusterKeys.TRUST_PASSWORD),
                        settings.findKeyStore(ClusterKeys.KEY_TYPE, ClusterKeys.KEY, ClusterKeys.KEY_PASSWORD),
                        settings.get(ClusterKeys.HOST_NAMES)))
                : Optional.empty();
        Optional<ZooKeeperAccess.Login> login = settings.find(ClusterKeys.USER)
                .map(user -> new ZooKeeperAccess.Login(user, settings.get(ClusterKeys.PASSWORD)));
        ZooKeeperAccess.Acl acl = settings.get(ClusterKeys.ACL);
        if (acl == ZooKeeperAccess.Acl.CREATOR && login.isEmpty()) {
            settings.complain(ClusterKeys.ACL, "needs " + ClusterKeys.USER.name() + ": without it there is no login");
        }
        return new ZooKeeperAccess(tls, login, acl);
    }

    /** Without a port for clients a loopback address to listen on is ignored: servers on two machines would have the same. */
    private String host(ServerMode mode, Set<Warning> warnings) {
        Optional<String> registered = settings.find(ClusterKeys.REGISTERED_ADDRESS);
        Optional<String> listening = settings.find(PullKeys.LISTEN_ADDRESS);
        boolean isLocal = registered.isEmpty() && LoopbackAddress.is(listening.orElse(""));
        if (isLocal && !mode.isQueue()) {
            warnings.add(new Warning.General(
                    ("%s = %s is what other servers and clients know this server by: clients on other machines cannot"
                                    + " connect; set %s or %s")
                            .formatted(
                                    PullKeys.LISTEN_ADDRESS.name(),
                                    settings.shown(PullKeys.LISTEN_ADDRESS),
                                    PullKeys.LISTEN_ADDRESS.name(),
                                    ClusterKeys.REGISTERED_ADDRESS.name())));
        }
        Optional<String> set = registered.or(() -> isLocal && mode.isQueue() ? Optional.<String>empty() : listening);
        if (set.isEmpty() && isAddressKnown && environment.address().isLoopbackAddress()) {
            warnings.add(new Warning.General(
                    ("this machine has no IPv4 address but %s, by which the other servers and the clients cannot know it: set %s,"
                                    + " on each server to another address")
                            .formatted(environment.address().getHostAddress(), ClusterKeys.REGISTERED_ADDRESS.name())));
        }
        return set.map(ClusterReader::withoutBrackets)
                .orElseGet(() -> String.valueOf(environment.address().getHostAddress()));
    }

    private static String withoutBrackets(String address) {
        return address.startsWith("[") && address.endsWith("]") ? address.substring(1, address.length() - 1) : address;
    }

    /**
     * Warns if an instance whose cursor is in ZooKeeper names other servers than this one: canal keeps the cursor there.
     *
     * @param own the settings of the instance
     * @param file its file
     */
    void doubtOwnServers(String destination, Settings own, PropertiesFile file, Set<Warning> warnings) {
        Setting servers = own.raw(ClusterKeys.ZOOKEEPER.name());
        if (file.find(ClusterKeys.ZOOKEEPER.name()) == null || servers == null || servers.isBlank()) {
            return;
        }
        ownServers.put(destination, servers.origin());
        Setting used = settings.raw(ClusterKeys.ZOOKEEPER.name());
        if (used != null && !used.isBlank() && !ClusterKeys.isSameEnsemble(used.text(), servers.text())) {
            warnings.add(new Warning.At(
                    servers.origin(),
                    "%s names other servers than canal.properties, whose are used: canal keeps the cursor of %s at those of the instance, where it is not looked for, and without a cursor it begins at the newest position; set %s in canal.properties to them, or the cursor: bin/sluice.sh cursor set %s"
                            .formatted(
                                    ClusterKeys.ZOOKEEPER.name(),
                                    destination,
                                    ClusterKeys.ZOOKEEPER.name(),
                                    destination)));
        }
    }

    /** Complains of instances whose cursors or schema histories are not where the cluster's other servers find them. */
    void check(Optional<ClusterConfig> cluster, List<InstanceConfig> instances, Origin file, Set<Warning> warnings) {
        List<String> own = new ArrayList<>();
        List<String> ownHistory = new ArrayList<>();
        for (InstanceConfig instance : instances) {
            if (instance.cursor().kind() != CursorKind.ZOOKEEPER) {
                own.add(instance.destination());
            } else if (cluster.isEmpty()) {
                settings.complain(
                        file,
                        ClusterKeys.ZOOKEEPER,
                        "is required by the wiring default-instance.xml of " + instance.destination()
                                + ", which keeps cursors there; " + canalsServers(instance.destination()));
            } else if (isInFile(instance.schema().history())) {
                ownHistory.add(instance.destination());
            }
        }
        if (!ownHistory.isEmpty()) {
            settings.complain(
                    file,
                    SchemaKeys.HISTORY_URL,
                    ("must be jdbc:mysql://<host>:<port>/<schema> where servers share destinations (%s): the schema"
                                    + " history of %s is in a file of one machine, so that another server that takes over"
                                    + " has an old one or none; %s and %s are the account, which needs SELECT, INSERT,"
                                    + " UPDATE, DELETE, CREATE and INDEX on that schema")
                            .formatted(
                                    ClusterKeys.ZOOKEEPER.name(),
                                    String.join(", ", ownHistory),
                                    SchemaKeys.HISTORY_USER.name(),
                                    SchemaKeys.HISTORY_PASSWORD.name()));
        }
        if (cluster.isPresent() && !own.isEmpty()) {
            warnings.add(new Warning.General("servers share destinations through " + ClusterKeys.ZOOKEEPER.name()
                    + ", but these keep their cursor on"
                    + " one machine, so that another begins at its own: " + String.join(", ", own)
                    + "; set canal.instance.global.spring.xml = classpath:spring/default-instance.xml"));
        }
    }

    private String canalsServers(String destination) {
        Origin own = ownServers.get(destination);
        return own == null
                ? "canal takes 127.0.0.1:2181 if it is blank, where another ZooKeeper may be, or none: set it to that if it is meant"
                : "canal takes that of the instance: set it to the value at " + own;
    }

    private static boolean isInFile(@Nullable HistoryConfig history) {
        return history != null && history.location() instanceof HistoryLocation.LocalFile;
    }
}
