package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import java.net.InetAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delays the logins of an address of a port that has failed to log in several times, longer each time. Thread-safe.
 *
 * <p>Attempts during the delay are not checked, and do not prolong it: so a client with the right password is admitted in time, even if
 * another one at the same address does not stop trying. That an address has to wait is logged when it begins, and not again before it has logged in, or
 * was quiet for long.
 */
public final class LoginDelay {
    /** The number of wrong passwords without a consequence. */
    static final int FREE_PASSWORDS = 4;

    private static final Logger LOG = LoggerFactory.getLogger(LoginDelay.class);

    private static final int FREE_TOKENS = 9;

    private final Rules rules;
    private final String port;

    @GuardedBy("this") private final FailedLogins failed;

    /**
     * When an address waits, and for how long.
     *
     * @param freeFailures the number of failures without a consequence
     * @param firstWait after the next one
     * @param doublings how often that is doubled, once for each further one
     * @param forgottenAfter a failure later than this is the first one again
     * @param isLogged whether its first wait is worth a line in the log
     */
    private record Rules(
            int freeFailures, Duration firstWait, int doublings, Duration forgottenAfter, boolean isLogged) {}

    private LoginDelay(Rules rules, String port, Time time) {
        this.rules = rules;
        this.port = port;
        this.failed = new FailedLogins(rules.forgottenAfter, time);
    }

    /**
     * The delay for passwords, which may be guessed: waits begin with a second, and double up to about a minute.
     *
     * @param port the key of the port that it is for, for the log
     * @param time measures the waits
     */
    public static LoginDelay ofPasswords(String port, Time time) {
        return new LoginDelay(
                new Rules(FREE_PASSWORDS, Duration.ofSeconds(1), 6, Duration.ofMinutes(15), true), port, time);
    }

    /**
     * The delay for tokens, which cannot be guessed: it keeps a wrong configuration, and its lines in the log, within limits.
     *
     * @param time measures the waits
     */
    public static LoginDelay ofTokens(Time time) {
        return new LoginDelay(new Rules(FREE_TOKENS, Duration.ofMinutes(1), 0, Duration.ofMinutes(1), false), "", time);
    }

    /** How long the address has to wait until its next attempt is checked; zero if it has not. */
    public synchronized Duration waitOf(InetAddress address) {
        int count = failed.count(address);
        if (count <= rules.freeFailures) {
            return Duration.ZERO;
        }
        int doublings = Math.min(count - rules.freeFailures - 1, rules.doublings);
        Duration left = rules.firstWait.multipliedBy(1L << doublings).minus(failed.age(address));
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Notes that the address has failed to log in. */
    public synchronized void failed(InetAddress address) {
        int count = failed.add(address);
        if (rules.isLogged && count == rules.freeFailures + 1) {
            LOG.warn(
                    "several logins from an address have failed, its next ones have to wait, longer each time: port={} address={} failures={}",
                    port,
                    address.getHostAddress(),
                    count);
        }
    }

    /** Notes that the address has logged in: its failures do not count any more. */
    public synchronized void succeeded(InetAddress address) {
        failed.remove(address);
    }
}
