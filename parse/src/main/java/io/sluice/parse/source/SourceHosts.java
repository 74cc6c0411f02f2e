package io.sluice.parse.source;

import io.sluice.parse.wire.ServerAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/**
 * The servers that may be read, and the one that is.
 *
 * <p>A host is left when it failed more often in a row than is borne; those tried after it are left at their first failure,
 * until one of them can be read. For one thread, but for {@link #current} and {@link #haveOthers}.
 */
final class SourceHosts {
    private final List<SourceHost> hosts;
    private final int failuresBorne;
    private volatile int current;
    private int failures;
    private int leftInARow;

    SourceHosts(List<SourceHost> hosts, int failuresBorne) {
        this.hosts = hosts;
        this.failuresBorne = failuresBorne;
    }

    SourceHost current() {
        return hosts.get(current);
    }

    boolean haveOthers() {
        return hosts.size() > 1;
    }

    /** States that the current host is being read. */
    void reached() {
        failures = 0;
        leftInARow = 0;
    }

    /**
     * States that the current host failed.
     *
     * @return whether another one is current now
     */
    boolean failed() {
        failures++;
        return failures > failuresBorne && leave();
    }

    /**
     * Makes the next host the current one.
     *
     * @return false if there is no other
     */
    boolean leave() {
        if (!haveOthers()) {
            return false;
        }
        current = (current + 1) % hosts.size();
        failures = Math.max(failures, failuresBorne);
        leftInARow++;
        return true;
    }

    /** Whether every host has failed since one was read last, so that it is time to wait. */
    boolean areAllFailing() {
        return leftInARow >= hosts.size();
    }

    /** Makes the host of an address the current one, if there is such a host. */
    boolean choose(String host, int port) {
        for (int i = 0; i < hosts.size(); i++) {
            if (isAt(hosts.get(i), host, port)) {
                current = i;
                return true;
            }
        }
        return false;
    }

    /** Whether a host listens at an address; names that resolve to the same IP are the same. */
    static boolean isAt(SourceHost candidate, String host, int port) {
        ServerAddress address = candidate.login().address();
        if (address.port() != port) {
            return false;
        }
        // A cursor has no host where its name could not be resolved when it was written.
        if (host.isEmpty() || address.host().equalsIgnoreCase(host)) {
            return true;
        }
        try {
            List<InetAddress> known = Arrays.asList(InetAddress.getAllByName(address.host()));
            return Arrays.stream(InetAddress.getAllByName(host)).anyMatch(known::contains);
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
