package io.sluice.connector.pulsar;

import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names of the producers of the partitions that an instance writes to.
 *
 * <p>A broker lets no second producer of a name write to a partition before the first, and all that it had sent, is done with. So the
 * producers of an instance have the same name before and after a restart or a fail-over. Another Sluice may have an instance of the same
 * name that writes to the same topic: a name that is still taken after a limit is given up for that partition, and then
 * for all others at once at which this process never had it. Where it had, what was sent by it may still be on its way, so the limit is longer. Only
 * time counts in which the name is seen to be taken. Thread-safe.
 */
final class ProducerNames {
    /** Longer than a broker takes to find that a client is gone. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    /** The partitions at which this process had the name. */
    static final Duration LIMIT_OF_OURS = Duration.ofMinutes(10);

    private static final Logger LOG = LoggerFactory.getLogger(ProducerNames.class);

    private final String shared;
    private final String own;
    private final boolean maySwitch;

    /** Where another producer has the shared name, by partition. */
    private final TakenPartitions taken;

    private final Set<String> held = ConcurrentHashMap.newKeySet();
    private final Set<String> givenUp = ConcurrentHashMap.newKeySet();

    /**
     * Uses the shared name everywhere at first.
     *
     * @param shared the name of all producers of the instance
     * @param maySwitch whether another name may be used
     */
    ProducerNames(String shared, boolean maySwitch, Time time) {
        this.shared = shared;
        this.own = shared + "-"
                + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        this.maySwitch = maySwitch;
        this.taken = new TakenPartitions(time);
    }

    /** The name of a partition's producer. */
    String of(String partition) {
        return givenUp.contains(partition) ? own : shared;
    }

    /** Notes that the broker has made a partition's producer. */
    void made(String partition) {
        taken.free(partition);
        if (!givenUp.contains(partition)) {
            held.add(partition);
        }
    }

    /** Notes that another producer has the name at a partition. */
    void busy(String partition) {
        if (!maySwitch || givenUp.contains(partition)) {
            return;
        }
        Duration seen = taken.seen(partition);
        Duration limit = held.contains(partition) ? LIMIT_OF_OURS : givenUp.isEmpty() ? LIMIT : Duration.ZERO;
        if (seen.compareTo(limit) >= 0) {
            givenUp.add(partition);
            LOG.warn(
                    "another producer does not let go of the name of the instance's producers, using another one; if it is that of"
                            + " another Sluice, set pulsarmq.producerName: partition={} name={} limitSeconds={}",
                    partition,
                    shared,
                    limit.toSeconds());
        }
    }
}
