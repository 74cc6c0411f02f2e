package io.sluice.server.simulation;

import io.sluice.server.ha.SimulatedOwnership;
import io.sluice.stream.source.server.ConfiguredStart;
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
 * @param resets whether binlogs are reset, with their GTIDs kept
 * @param forgets whether the binlog is reset once, without that
 * @param isShared whether two servers or more compete for the destination
 * @param isPulled whether clients pull, and nothing is sent
 * @param encodesAhead whether workers make the protobuf bytes
 * @param partitions over how many partitions rows are spread; only if nothing is encoded ahead
 * @param asksBroker whether the broker is asked how many partitions there are; then there are more at times, and at times it does not tell
 * @param clocksDiffer by how much the clocks of hosts differ at most, and are set back
 * @param fallback how far before the newest time that is known the other host is read without GTIDs
 */
record Plan(
        Flavour flavour,
        int hosts,
        ConfiguredStart start,
        boolean hasUnknownSchemas,
        boolean keepsGtids,
        boolean losesHistory,
        boolean movesCursor,
        boolean purges,
        boolean damages,
        boolean resets,
        boolean forgets,
        boolean isShared,
        boolean isPulled,
        boolean encodesAhead,
        int partitions,
        boolean asksBroker,
        Duration fallback,
        Duration clocksDiffer,
        long faultsNanos) {
    private static final long SECOND = 1_000_000_000L;
    private static final int MAX_CLOCK_DIFFERENCE = 7_200;

    /** Whether a change of the host goes back by time. */
    boolean fallsBack() {
        return fallsBack(hosts > 1, flavour, keepsGtids);
    }

    private static boolean fallsBack(boolean hasReplica, Flavour flavour, boolean keepsGtids) {
        return hasReplica && !(keepsGtids && flavour.hasGtids());
    }

    /** Clocks must agree to within the interval by which a change of the host goes back. */
    private static Duration clocksDiffer(RandomGenerator random, boolean fallsBack, Duration fallback) {
        long most = fallsBack ? fallback.toSeconds() - 1 : MAX_CLOCK_DIFFERENCE;
        return Duration.ofSeconds(random.nextInt(3) == 0 ? 0 : random.nextLong(most + 1));
    }

    static Plan draw(RandomGenerator random) {
        Flavour flavour = switch (random.nextInt(6)) {
            case 0 -> Flavour.MYSQL_ANONYMOUS;
            case 1 -> Flavour.MARIADB;
            default -> Flavour.MYSQL_GTID;
        };
        boolean keepsGtids = flavour == Flavour.MYSQL_ANONYMOUS || random.nextInt(4) > 0;
        boolean hasReplica = random.nextBoolean();
        ConfiguredStart start = random.nextBoolean() ? new ConfiguredStart.Newest() : new ConfiguredStart.Earliest();
        int gap = hasReplica ? 0 : random.nextInt(4);
        boolean encodesAhead = random.nextBoolean();
        boolean isShared = gap == 0 && random.nextInt(4) == 0;
        boolean isPulled = !isShared && random.nextInt(4) == 0;
        boolean resets = keepsGtids && flavour.hasGtids() && (hasReplica || gap == 3) && random.nextInt(3) == 0;
        boolean forgets = gap == 3 && !resets && random.nextInt(3) == 0;
        Duration fallback = Duration.ofSeconds(1 + random.nextInt(random.nextBoolean() ? 10 : 60));
        int partitions = encodesAhead ? 1 : 1 + random.nextInt(3);
        return new Plan(
                flavour,
                hasReplica ? 2 : 1,
                start,
                start instanceof ConfiguredStart.Earliest && random.nextBoolean(),
                keepsGtids,
                gap == 1,
                gap == 2,
                gap == 0 && random.nextBoolean(),
                hasReplica && random.nextBoolean(),
                resets,
                forgets,
                isShared,
                isPulled,
                encodesAhead,
                partitions,
                partitions > 1 && !isPulled && random.nextBoolean(),
                fallback,
                forgets ? Duration.ZERO : clocksDiffer(random, fallsBack(hasReplica, flavour, keepsGtids), fallback),
                isShared ? SimulatedOwnership.FAULTS.toNanos() : (10 + random.nextInt(40)) * SECOND);
    }
}
