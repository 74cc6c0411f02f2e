package io.sluice.server.config.port;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The port of the control API.
 *
 * @param address what to listen on; blank for all addresses
 * @param port from 1 to 65535; 0 for any that is free is not to be configured
 * @param accessFile the file with the tokens of callers; need not exist
 * @param certificates the roles of callers by the common names of their certificates; of others a certificate gives none
 * @param tls how the port is protected; empty if it is not
 */
public record ControlConfig(
        String address, int port, Path accessFile, Map<String, String> certificates, Optional<PortTls> tls) {
    public ControlConfig {
        certificates = Map.copyOf(certificates);
    }
}
