package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.server.ServerValues;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/**
 * What is set of a server.
 *
 * @param ip host name or address
 * @param clusterId null: standalone
 * @param controlUrl null: managed by the management port only
 * @param controlToken null: as it is; empty: none
 */
record ServerInput(
        @NotBlank @Size(max = 255) String name,
        @NotBlank @Size(max = 255) String ip,
        @Min(1) @Max(65535) int adminPort,
        @Min(1) @Max(65535) @Nullable Integer tcpPort,
        @Min(1) @Max(65535) @Nullable Integer metricPort,
        @Nullable Long clusterId,
        @Size(max = 500) @Nullable String controlUrl,
        @Size(max = 1000) @Nullable String controlToken) {

    ServerValues values() {
        return new ServerValues(name.strip(), ip.strip(), adminPort, tcpPort, metricPort, clusterId);
    }

    /** Leaves out the token. */
    @Override
    public String toString() {
        return "ServerInput[name=" + name + ", ip=" + ip + ", controlUrl=" + controlUrl + "]";
    }
}
