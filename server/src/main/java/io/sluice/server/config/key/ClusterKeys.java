package io.sluice.server.config.key;

import static io.sluice.server.config.text.ValueType.BOOLEAN;
import static io.sluice.server.config.text.ValueType.SECRET;
import static io.sluice.server.config.text.ValueType.TEXT;
import static io.sluice.server.config.text.ValueType.millis;
import static io.sluice.server.config.text.ValueType.oneOf;

import io.sluice.server.config.cluster.ZooKeeperAccess;
import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.Secret;
import io.sluice.server.config.text.ValueType;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The keys of servers that share destinations. */
public final class ClusterKeys {
    public static final KeyGroup GROUP = new KeyGroup("Several servers");

    public static final Key<String> ZOOKEEPER = GROUP.add(Key.server("canal.zkServers", ValueType.ZOOKEEPER_SERVERS, "")
            .described("ZooKeeper's servers; servers with the same ones share their instances."));
    public static final Key<String> REGISTERED_ADDRESS = GROUP.add(Key.server("canal.register.ip", TEXT, "")
            .defaulting("`canal.ip`, else the first IPv4 address; with a queue a loopback `canal.ip` does not count")
            .described(
                    "What the other servers and the clients know this one by, with `canal.port`; two servers on one machine"
                            + " need two ports."));
    public static final Key<Duration> SESSION_TIMEOUT = GROUP.add(Key.server(
                    "canal.zookeeper.session.timeout", millis(1), "15000")
            .ours()
            .described("The time after which ZooKeeper gives up a silent server; the server stops by itself after two"
                    + " thirds of it. It writes to ZooKeeper six times in that time."));
    public static final Key<Duration> BALANCE_DELAY =
            GROUP.add(Key.server("canal.zookeeper.balance.delay", millis(0), "30000")
                    .ours()
                    .described(
                            "How long a server must have been ready to run its share before it gets it; `0`: instances do not"
                                    + " move back."));
    public static final Key<Boolean> TLS = GROUP.add(Key.server("canal.zookeeper.tls.enable", BOOLEAN, "false")
            .ours()
            .described("Talk TLS to ZooKeeper, at its `secureClientPort`."));
    public static final Key<String> TRUST = GROUP.add(Key.server("canal.zookeeper.tls.trustStore", TEXT, "")
            .ours()
            .described("The file with the certificates that are trusted; blank: those that the JVM trusts."));
    public static final Key<String> TRUST_TYPE =
            GROUP.add(Key.server("canal.zookeeper.tls.trustStoreType", TEXT, "PKCS12")
                    .ours()
                    .described("The format of that file: `PKCS12`, `JKS` or `PEM`."));
    public static final Key<Secret> TRUST_PASSWORD =
            GROUP.add(Key.server("canal.zookeeper.tls.trustStorePassword", SECRET, "")
                    .ours()
                    .described("The password of that file."));
    public static final Key<String> KEY = GROUP.add(Key.server("canal.zookeeper.tls.keyStore", TEXT, "")
            .ours()
            .described("The file with this server's own certificate and its key, if ZooKeeper requires one."));
    public static final Key<String> KEY_TYPE = GROUP.add(Key.server("canal.zookeeper.tls.keyStoreType", TEXT, "PKCS12")
            .ours()
            .described("The format of that file: `PKCS12`, `JKS` or `PEM`."));
    public static final Key<Secret> KEY_PASSWORD =
            GROUP.add(Key.server("canal.zookeeper.tls.keyStorePassword", SECRET, "")
                    .ours()
                    .described("The password of that file."));
    public static final Key<Boolean> HOST_NAMES =
            GROUP.add(Key.server("canal.zookeeper.tls.hostnameVerification", BOOLEAN, "true")
                    .ours()
                    .described("Whether a certificate must be for the server's name."));
    public static final Key<String> USER = GROUP.add(Key.server("canal.zookeeper.auth.user", TEXT, "")
            .ours()
            .described("The user of the login at ZooKeeper (scheme `digest`); blank: none."));
    public static final Key<Secret> PASSWORD = GROUP.add(
            Key.server("canal.zookeeper.auth.password", SECRET, "").ours().described("The password of that user."));
    public static final Key<ZooKeeperAccess.Acl> ACL = GROUP.add(
            Key.server("canal.zookeeper.acl", oneOf(ZooKeeperAccess.Acl.class, ZooKeeperAccess.Acl::name), "OPEN")
                    .ours()
                    .described(
                            "Access to the nodes that this server makes from now on. `OPEN`: all clients may change them, as with canal;"
                                    + " `CREATOR`: only clients with this login may, and others read. canal's HA clients need"
                                    + " `OPEN`."));
    public static final Key<Duration> FLUSH_PERIOD =
            GROUP.add(Key.instance("canal.zookeeper.flush.period", millis(1), "1000")
                    .described("The time after which a moved cursor is written to ZooKeeper."));

    private ClusterKeys() {}

    /** Whether two values of {@link #ZOOKEEPER} name the same servers, in whatever order, and the same node in them. */
    public static boolean isSameEnsemble(String one, String other) {
        return ensemble(one).equals(ensemble(other));
    }

    private static Set<String> ensemble(String text) {
        String servers;
        try {
            servers = ZOOKEEPER.type().parser().apply(text);
        } catch (IllegalArgumentException e) {
            return Set.of(text); // which is a problem where it counts
        }
        int slash = servers.indexOf('/');
        String node = slash < 0 ? "" : servers.substring(slash).replaceFirst("/+$", "");
        Set<String> parts = new HashSet<>();
        for (String server : (slash < 0 ? servers : servers.substring(0, slash)).split(",")) {
            parts.add((server.contains(":") ? server : server + ":2181").toLowerCase(Locale.ROOT));
        }
        parts.add("/" + node);
        return parts;
    }
}
