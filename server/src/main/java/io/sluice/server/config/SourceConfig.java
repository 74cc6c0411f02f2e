package io.sluice.server.config;

import java.nio.charset.Charset;
import java.util.List;
import java.util.Optional;

/**
 * The MySQL server that an instance reads.
 *
 * @param address where it listens
 * @param standby who may take its place; not used yet
 * @param username who we log in as
 * @param password the same user's
 * @param database the default database of the session; blank for none
 * @param charset the charset of the session
 * @param replicaId the server id we go by, unique among the source's replicas; unsigned 32 bits
 * @param tls how the connection is protected
 * @param binlogFormats the values of {@code binlog_format} to go on with; empty for any
 * @param binlogImages the values of {@code binlog_row_image} to go on with; empty for any
 * @param gtid whether to ask for the binlog by GTID set instead of by file and offset
 */
public record SourceConfig(
        HostPort address,
        Optional<HostPort> standby,
        String username,
        Secret password,
        String database,
        Charset charset,
        long replicaId,
        TlsConfig tls,
        List<String> binlogFormats,
        List<String> binlogImages,
        boolean gtid) {
    public SourceConfig {
        binlogFormats = List.copyOf(binlogFormats);
        binlogImages = List.copyOf(binlogImages);
    }
}
