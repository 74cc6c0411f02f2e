package io.sluice.parse.source;

import io.sluice.parse.gtid.GtidSet;
import io.sluice.parse.gtid.MySqlGtidSet;
import io.sluice.parse.wire.ServerErrorException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a server can be read from a place without leaving anything out, before it is asked to, and says what is
 * missing if not.
 */
final class HostCheck {
    private HostCheck() {}

    /**
     * Checks the transactions of a place that is asked for by GTIDs.
     *
     * @throws HostBehindException if the server lacks some that were read: what it sends would not be a continuation
     * @throws BinlogGoneException if it does not have the events any more of some that were not read
     */
    static void require(GtidSet read, ServerFacts facts) throws IOException {
        GtidSet executed = facts.executedSet();
        if (!executed.containsAll(read)) {
            String missing = read instanceof MySqlGtidSet ours && executed instanceof MySqlGtidSet theirs
                    ? ours.subtract(theirs).toString()
                    : read.toString();
            throw new HostBehindException(behind(facts, missing, "it has executed " + executed));
        }
        if (!(read instanceof MySqlGtidSet ours)) {
            return;
        }
        MySqlGtidSet purged = MySqlGtidSet.parse(facts.purgedGtids());
        if (!ours.containsAll(purged)) {
            throw new BinlogGoneException(
                    "the binlog of %s is gone that is needed next: the transactions %s were not read, and it has purged them; it still has %s"
                            .formatted(facts.address(), purged.subtract(ours), remaining(facts)));
        }
    }

    private static String behind(ServerFacts facts, String missing, String has) {
        return ("%s does not have the transactions %s, which were read from another server already (%s); waiting for them."
                        + " If it will never get them, as after a failover that lost them, take them out of the cursor's gtid")
                .formatted(facts.address(), missing, has);
    }

    /**
     * The same for what the server has refused already.
     *
     * @param place where it was to be read from; null if that was still looked for
     */
    static BinlogGoneException gone(@Nullable Place place, ServerErrorException refusal, ServerFacts facts)
            throws IOException {
        return new BinlogGoneException(
                "the binlog of %s is gone that is needed next%s: %s; it still has %s"
                        .formatted(
                                facts.address(),
                                place == null ? "" : ", from " + place + " on",
                                refusal.getMessage(),
                                remaining(facts)),
                refusal);
    }

    private static String remaining(ServerFacts facts) throws IOException {
        List<ServerFacts.File> files = facts.files();
        ServerFacts.File last = files.get(files.size() - 1);
        String purged = facts.purgedGtids();
        return "%s:4 to %s:%d".formatted(files.get(0).name(), last.name(), last.bytes())
                + (purged.isEmpty() ? "" : ", without the transactions " + purged);
    }
}
