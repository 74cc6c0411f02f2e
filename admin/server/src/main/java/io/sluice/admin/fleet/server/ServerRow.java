package io.sluice.admin.fleet.server;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A server as it is configured here; nothing of what it reports.
 *
 * @param ip a host name or an address
 * @param adminPort of canal's management protocol
 * @param tcpPort where clients pull; null if unknown
 * @param metricPort of its metrics; null if unknown
 * @param clusterId null: standalone
 * @param clusterName of that cluster; null: standalone
 * @param controlUrl of its control API; null: it is managed by the management port
 * @param sealedToken the token of the control API, encrypted; null if there is none
 */
public record ServerRow(
        long id,
        String name,
        String ip,
        int adminPort,
        @Nullable Integer tcpPort,
        @Nullable Integer metricPort,
        @Nullable Long clusterId,
        @Nullable String clusterName,
        @Nullable String controlUrl,
        @Nullable String sealedToken) {

    /** Whether it is reached in the same way as another one. */
    public boolean isReachedLike(ServerRow other) {
        return ip.equals(other.ip)
                && adminPort == other.adminPort
                && Objects.equals(controlUrl, other.controlUrl)
                && Objects.equals(sealedToken, other.sealedToken);
    }

    /** Leaves out the token. */
    @Override
    public String toString() {
        return "ServerRow[id=" + id + ", name=" + name + ", ip=" + ip + ", adminPort=" + adminPort + ", clusterId="
                + clusterId + ", controlUrl=" + controlUrl + "]";
    }
}
