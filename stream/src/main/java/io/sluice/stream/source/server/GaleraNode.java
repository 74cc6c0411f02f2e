package io.sluice.stream.source.server;

import io.sluice.protocol.position.SourceServer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a node of a Galera cluster of MariaDB, whose nodes may have one {@code server_id} and one address, as behind a proxy.
 *
 * <p>With {@code wsrep_gtid_mode=OFF}, the default, each node numbers what the cluster commits by itself: a GTID is one transaction on one node, and may
 * be another one on the next. The identity states that, since cursors have it: it tells where their GTIDs mean something.
 */
public final class GaleraNode {
    private static final String OWN_GTIDS = SourceServer.OWN_GTIDS;
    private static final String NODE = ", node ";

    /** The global variables of a server. */
    interface Variables {
        /** The value of one; null if the server has none of that name. */
        @Nullable String get(String name) throws IOException;
    }

    private GaleraNode() {}

    /** Whether a server is a node of a cluster. */
    static boolean is(Variables variables) throws IOException {
        String on = variables.get("wsrep_on");
        String provider = variables.get("wsrep_provider");
        return ("1".equals(on) || "ON".equalsIgnoreCase(on))
                && provider != null
                && !provider.isEmpty()
                && !provider.equalsIgnoreCase("none");
    }

    /**
     * Returns the identity of a server, with its name as a node if it is one.
     *
     * @param server the identity that it would have outside of a cluster
     */
    static String identity(String server, Variables variables) throws IOException {
        if (!is(variables)) {
            return server;
        }
        String name = variables.get("wsrep_node_name");
        String node = name == null || name.isEmpty() ? variables.get("hostname") : name;
        String mode = variables.get("wsrep_gtid_mode");
        return identity(server, String.valueOf(node), "0".equals(mode) || "OFF".equalsIgnoreCase(mode));
    }

    /**
     * Returns the identity of a node.
     *
     * @param server the identity that it would have outside of a cluster
     * @param hasOwnGtids whether it numbers transactions by itself
     */
    public static String identity(String server, String node, boolean hasOwnGtids) {
        return server + NODE + node + (hasOwnGtids ? OWN_GTIDS : "");
    }

    /** Whether an identity is of a node. */
    public static boolean isNode(String identity) {
        return identity.contains(NODE);
    }

    /** Whether two identities are of one server, which may number transactions by itself since it was asked, or no more. */
    public static boolean isSameServer(String one, String other) {
        return withoutMode(one).equals(withoutMode(other));
    }

    private static String withoutMode(String identity) {
        return identity.endsWith(OWN_GTIDS) ? identity.substring(0, identity.length() - OWN_GTIDS.length()) : identity;
    }

    /** Whether the GTIDs of a server are those of another one, too, by their identities, as in cursors; empty if one is not known. */
    public static boolean areGtidsShared(String one, String other) {
        return one.equals(other) || !one.endsWith(OWN_GTIDS) && !other.endsWith(OWN_GTIDS);
    }
}
