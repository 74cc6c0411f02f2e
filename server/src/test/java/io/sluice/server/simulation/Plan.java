package io.sluice.server.simulation;

import io.sluice.server.ha.SimulatedOwnership;
import io.sluice.stream.source.server.StartPosition;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The plan of one simulation: the configuration of the instance, and the faults.
 *
 * @param hasUnknownSchemas whether tables may be changed in the binlog before the schema history begins, so that a start may be rejected
 * @param keepsGtids whether positions have GTIDs where the source has them
 * @param losesHistory whether the schema history may lose what it has confirmed
 * @param movesCursor whether an operator moves the cursor
 * @param purges whether the source purges its binlog before the cursor
 * @param damages whether the binlog of the first host is cut off
 * @param isShared whether two servers or more compete for the destination
 * @param isPulled whether clients pull, and nothing is sent
 * @param encodesAhead whether workers make the protobuf bytes
 * @param partitions over how many partitions rows are spread; only if nothing is encoded ahead
 * @param fallback how far before the newest time that is known the other host is read without GTIDs
 */
record Plan(
        Flavour flavour,
        int hosts,
        StartPosition start,
        boolean hasUnknownSchemas,
        boolean keepsGtids,
        boolean losesHistory,
        boolean movesCursor,
        boolean purges,
        boolean damages,
        boolean isShared,
        boolean isPulled,
        boolean encodesAhead,
        int partitions,
        Duration fallback,
        long faultsNanos) {
    private static final long SECOND = 1_000_000_000L;

    /** Whether a change of the host goes back by time. */
    boolean fallsBack() {
        return hosts > 1 && !(keepsGtids && flavour.hasGtids());
    }

    static Plan draw(RandomGenerator random) {
        Flavour flavour = switch (random.nextInt(6)) {
            case 0 -> Flavour.MYSQL_ANONYMOUS;
            case 1 -> Flavour.MARIADB;
            default -> Flavour.MYSQL_GTID;
        };
        boolean keepsGtids = flavour == Flavour.MYSQL_ANONYMOUS || random.nextInt(4) > 0;
        boolean hasReplica = random.nextBoolean();
        StartPosition start = random.nextBoolean() ? new StartPosition.Newest() : new StartPosition.Earliest();
        int gap = hasReplica ? 0 : random.nextInt(4);
        boolean encodesAhead = random.nextBoolean();
        boolean isShared = gap == 0 && random.nextInt(4) == 0;
        boolean isPulled = !isShared && random.nextInt(4) == 0;
        return new Plan(
                flavour,
                hasReplica ? 2 : 1,
                start,
                start instanceof StartPosition.Earliest && random.nextBoolean(),
                keepsGtids,
                gap == 1,
                gap == 2,
                gap == 0 && random.nextBoolean(),
                hasReplica && random.nextBoolean(),
                isShared,
                isPulled,
                encodesAhead,
                encodesAhead ? 1 : 1 + random.nextInt(3),
                Duration.ofSeconds(1 + random.nextInt(random.nextBoolean() ? 10 : 60)),
                isShared ? SimulatedOwnership.FAULTS.toNanos() : (10 + random.nextInt(40)) * SECOND);
    }
}
