package io.sluice.stream.source.server;

import io.sluice.mysql.failure.Reaction;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hosts of a source, the current one, and their failures.
 *
 * <p>A host is left when it failed more often in a row than is borne; those tried after it are left at their first failure,
 * until one of them can be read. A host is given up when no other attempt would go better there; if that is so for all of them,
 * nothing is left to try. For one thread, but for {@link #current} and {@link #haveOthers}.
 */
public final class SourceHosts {
    /** The number of consecutive unreadable responses of a host after which it is given up. */
    private static final int ATTEMPTS = 5;

    /**
     * After how many such responses a host is given up that was read before, if it rejects the login, as while its password is changed, or
     * has no binlog, as while its address still leads to a server that is no longer the writer of its cluster: about ten minutes, at the
     * longest back-off.
     */
    private static final int ATTEMPTS_OF_KNOWN_HOST = 40;

    private final List<SourceHost> hosts;
    private final int failuresBorne;
    private final int[] failuresOf;
    private final @Nullable SourceFailure[] givenUp;
    /** The kind of the last failure of each host; null if failures of that kind are not counted. */
    private final @Nullable SourceFailure[] kindOf;

    private final boolean[] wasRead;
    private final boolean[] hadBinlog;
    private volatile int current;
    private int failures;
    private int leftInARow;

    public SourceHosts(List<SourceHost> hosts, int failuresBorne) {
        this.hosts = hosts;
        this.failuresBorne = failuresBorne;
        this.failuresOf = new int[hosts.size()];
        this.givenUp = new SourceFailure[hosts.size()];
        this.kindOf = new SourceFailure[hosts.size()];
        this.wasRead = new boolean[hosts.size()];
        this.hadBinlog = new boolean[hosts.size()];
    }

    public SourceHost current() {
        return hosts.get(current);
    }

    public boolean haveOthers() {
        return hosts.size() > 1;
    }

    /** Notes that the current host is being read. */
    public void recordSuccess() {
        failures = 0;
        leftInARow = 0;
        wasRead[current] = true;
        hadBinlog[current] = true;
        Arrays.fill(failuresOf, 0);
        Arrays.fill(givenUp, null);
    }

    /**
     * Notes that the current host failed.
     *
     * @return whether another one is current now
     */
    public boolean failed(SourceFailure failure) {
        failures++;
        count(failure);
        boolean leaves = switch (failure.reaction()) {
            case RETRY -> failures > failuresBorne;
            case RETRY_THEN_STOP -> {
                boolean isTooOften = failuresOf[current] >= attempts(failure);
                if (isTooOften) {
                    givenUp[current] = failure;
                }
                yield isTooOften || failures > failuresBorne;
            }
            case NEXT_HOST_OR_STOP -> {
                givenUp[current] = failure;
                yield true;
            }
            case RETRY_SAME_HOST, STOP -> false;
        };
        return leaves && leave();
    }

    /** Only failures of one kind in a row count together. */
    private void count(SourceFailure failure) {
        boolean isCounted = failure.reaction() == Reaction.RETRY_THEN_STOP;
        boolean isRepeated = isCounted && failure == kindOf[current];
        failuresOf[current] = isRepeated ? failuresOf[current] + 1 : isCounted ? 1 : 0;
        kindOf[current] = isCounted ? failure : null;
    }

    private int attempts(SourceFailure failure) {
        boolean mayPass = failure == SourceFailure.AUTHENTICATION && wasRead[current]
                || failure == SourceFailure.NO_BINLOG && hadBinlog[current];
        return mayPass ? ATTEMPTS_OF_KNOWN_HOST : ATTEMPTS;
    }

    /** Notes that the binlog of the current host was read before, by an earlier run or another server. */
    public void recordBinlog() {
        hadBinlog[current] = true;
    }

    /**
     * Makes the next host the current one.
     *
     * @return false if there is no other
     */
    public boolean leave() {
        if (!haveOthers()) {
            return false;
        }
        current = (current + 1) % hosts.size();
        failures = Math.max(failures, failuresBorne);
        leftInARow++;
        return true;
    }

    /** Whether every host has failed since one was read last, so that it is time to wait. */
    public boolean areAllFailing() {
        return leftInARow >= hosts.size();
    }

    /** Whether every host was given up since one was read last. */
    public boolean areAllGivenUp() {
        return Arrays.stream(givenUp).allMatch(failure -> failure != null);
    }

    /**
     * Makes a host the current one that was given up for a failure, and gives it another chance.
     *
     * @return false if there is none
     */
    public boolean chooseGivenUpFor(SourceFailure failure) {
        for (int i = 0; i < givenUp.length; i++) {
            if (givenUp[i] == failure) {
                current = i;
                givenUp[i] = null;
                return true;
            }
        }
        return false;
    }

    /**
     * Makes a certain host the current one if it was given up, and gives it another chance.
     *
     * @return whether it was given up
     */
    public boolean chooseGivenUp(SourceHost host) {
        int index = hosts.indexOf(host);
        if (index < 0 || givenUp[index] == null) {
            return false;
        }
        current = index;
        givenUp[index] = null;
        return true;
    }

    /** Makes the host of an address the current one, if there is such a host. */
    public boolean choose(String host, int port) {
        for (int i = 0; i < hosts.size(); i++) {
            if (isAt(hosts.get(i).login().address(), host, port)) {
                current = i;
                return true;
            }
        }
        return false;
    }

    /** Whether two addresses are the same; names that resolve to the same IP are. */
    static boolean isAt(ServerAddress address, String host, int port) {
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
