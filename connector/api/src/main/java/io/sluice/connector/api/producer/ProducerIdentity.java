package io.sluice.connector.api.producer;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What a broker may know the producers of a destination by, so that one after a restart or a fail-over replaces the one before.
 *
 * <p>Deployments that know nothing of each other may have destinations of the same name. So the identity depends on the id of a deployment, which
 * is made at random once and then kept where its cursors are: in ZooKeeper, below the chroot of {@code canal.zkServers}, for servers that share
 * it, else beside the cursor file. It is the same after a restart, on all servers of a cluster, and however ZooKeeper's hosts are listed.
 * Not a secret, and no proof.
 */
public final class ProducerIdentity {
    private static final int MAX_LENGTH = 60;
    private static final int HASH_LENGTH = 12;

    private ProducerIdentity() {}

    /**
     * The identity of a destination's producers. Without the id of a deployment it is the same on this host and in this folder.
     *
     * @param destination the name of the instance, not empty
     * @param deployment the id of the deployment; empty if it has none
     * @return not empty
     */
    public static String of(String destination, String deployment) {
        String place = deployment.isEmpty() ? hostAndFolder() : deployment;
        String hash = UUID.nameUUIDFromBytes((destination + "\n" + place).getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "")
                .substring(0, HASH_LENGTH);
        return destination.substring(0, Math.min(destination.length(), MAX_LENGTH)) + "-" + hash;
    }

    private static String hostAndFolder() {
        return host() + "\n" + System.getProperty("user.dir", "");
    }

    /** The name of this host; empty if it has none that can be resolved. */
    public static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return ""; // the folder distinguishes them
        }
    }
}
