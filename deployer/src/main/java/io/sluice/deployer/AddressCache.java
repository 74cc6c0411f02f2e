package io.sluice.deployer;

import java.security.Security;

/**
 * How long the JVM keeps the addresses of a host name. By default that is 30 seconds, for which connections would lead to the former server after a
 * fail-over that changes a DNS name.
 */
final class AddressCache {
    /** Of {@code java.security}. */
    static final String SECONDS = "networkaddress.cache.ttl";

    /** The option of the command line that has the meaning of {@link #SECONDS}. */
    static final String OPTION = "sun.net.inetaddr.ttl";

    private AddressCache() {}

    /** Limits it to 5 seconds, unless it is set; before the first name is looked up. */
    static void limit() {
        if (Security.getProperty(SECONDS) == null && System.getProperty(OPTION) == null) {
            Security.setProperty(SECONDS, "5");
        }
    }
}
