package io.sluice.server.config.port;

import io.sluice.server.config.text.Secret;
import java.util.Optional;

/**
 * The management port, which canal's consoles use. There is none without a password.
 *
 * @param address what to listen on; blank for all addresses
 * @param port 0 for any that is free
 * @param user the user name that clients must send; blank lets any name pass
 * @param storedPassword the hexadecimal SHA1(SHA1(password)); never blank
 * @param tls how the port is protected; empty if it is not
 */
public record AdminConfig(String address, int port, String user, Secret storedPassword, Optional<PortTls> tls) {
    public AdminConfig {
        if (storedPassword.value().isEmpty()) {
            throw new IllegalArgumentException("the management port needs a password: canal.admin.passwd");
        }
    }
}
