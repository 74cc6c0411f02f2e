package io.sluice.server.ha;

import io.sluice.server.ha.Coordinator.FormerOwner;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a destination's node {@code owner}: what a next owner must know of this one.
 *
 * @param epoch its number
 * @param heartbeat the name of the heartbeat that is written with each renewal of its lease
 * @param lease how long its lease is held after each of them
 */
record OwnerNode(long epoch, String heartbeat, Duration lease) {
    private static final Pattern TEXT = Pattern.compile("epoch=(\\d{1,18}) leaseMillis=(\\d{1,18}) heartbeat=(\\S+)");

    String text() {
        return "epoch=%d leaseMillis=%d heartbeat=%s".formatted(epoch, lease.toMillis(), heartbeat);
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
