package io.sluice.server.ha.zookeeper;

import io.sluice.server.ha.FormerOwner;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a destination's node {@code owner}: what a next owner must know of this one.
 *
 * @param epoch its number
 * @param heartbeat the name of the heartbeat that is written with each renewal of its lease
 * @param lease how long after each of them its lease may be held, or that of an owner before it
 */
public record OwnerNode(long epoch, String heartbeat, Duration lease) {
    private static final Pattern TEXT = Pattern.compile("epoch=(\\d{1,18}) leaseMillis=(\\d{1,18}) heartbeat=(\\S+)");

    /**
     * How long a lease a winner has to write. It may lose before it has waited for the owner before it; the one after it waits only for what it has
     * written, and from a later heartbeat on. So what it writes is not shorter than what that one has written. When it has waited, it writes its own
     * lease: otherwise every owner after it would wait for the longer one, as long as none reports that it is silent.
     *
     * @param former the owner before, if it is not silent
     * @param own how long the winner's own lease is held
     */
    public static Duration leaseToWrite(Optional<FormerOwner> former, Duration own) {
        return former.map(FormerOwner::lease)
                .filter(longer -> longer.compareTo(own) > 0)
                .orElse(own);
    }

    String text() {
        return "epoch=%d leaseMillis=%d heartbeat=%s".formatted(epoch, lease.toMillis(), heartbeat);
    }

    /**
     * The text by which an owner reports in the node {@code released} that it is silent. It has the heartbeat, too: when ZooKeeper has lost its data or was
     * restored, epochs come again.
     */
    static String report(long epoch, String heartbeat) {
        return "epoch=%d heartbeat=%s".formatted(epoch, heartbeat);
    }

    /** Whether a text is the report of this owner. A bare epoch does not tell of which one: it is none. */
    static boolean isReportOf(FormerOwner owner, String text) {
        return text.equals(report(owner.epoch(), owner.heartbeat()));
    }

    /** Reads a text; empty if it is blank, as that of a destination that never had an owner. */
    static Optional<FormerOwner> parse(String text) {
        if (text.isBlank()) {
            return Optional.empty();
        }
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalStateException(
                    "the owner node of a destination has an unknown text, delete the node: " + text);
        }
        return Optional.of(new FormerOwner(
                Long.parseLong(matcher.group(1)),
                matcher.group(3),
                Duration.ofMillis(Long.parseLong(matcher.group(2)))));
    }
}
