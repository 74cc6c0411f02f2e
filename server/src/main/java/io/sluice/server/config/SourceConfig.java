package io.sluice.server.config;

import java.nio.charset.Charset;
import java.util.List;

/**
 * The MySQL server that an instance reads.
 *
 * @param hosts the servers that have its binlog, at least one; the first is preferred
 * @param username the user of the login
 * @param password the same user's
 * @param database the default database of the session; blank for none
 * @param charset the charset of the session
 * @param replicaId the server id we go by, unique among the source's replicas; unsigned 32 bits
 * @param binlogFormats the values of {@code binlog_format} to continue with; empty for any
 * @param binlogImages the values of {@code binlog_row_image} to continue with; empty for any
 * @param positions how positions are kept
 * @param liveness how it is noticed that it fell silent
 */
public record SourceConfig(
        List<HostConfig> hosts,
        String username,
        Secret password,
        String database,
        Charset charset,
        long replicaId,
        List<String> binlogFormats,
        List<String> binlogImages,
        PositionConfig positions,
        LivenessConfig liveness) {
    public SourceConfig {
        hosts = List.copyOf(hosts);
        binlogFormats = List.copyOf(binlogFormats);
        binlogImages = List.copyOf(binlogImages);
    }

    /** Where the preferred server listens. */
    public HostPort address() {
        return hosts.get(0).address();
    }
}
