package io.sluice.server.control;

import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.Instance;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one destination at one moment.
 *
 * @param destination its name
 * @param stopped whether an operator has stopped it
 * @param instance that runs here; empty if none does
 * @param health of this instance; empty if none runs here
 * @param pace what keeps it from delivering at full speed
 * @param errors its newest errors, newest first
 * @param throughput how much it has delivered a moment ago
 * @param problem why its newest configuration is not in force; null if it is
 * @param retryAt when it is started again after a failure; null if it is not to be
 * @param missing why the server does not have it; null if it has, or would have if another server did not
 */
public record InstanceSnapshot(
        String destination,
        boolean stopped,
        Optional<Instance> instance,
        Optional<InstanceHealth> health,
        PaceStatus pace,
        List<ErrorLog.Item> errors,
        Throughput throughput,
        @Nullable String problem,
        @Nullable Instant retryAt,
        @Nullable Missing missing) {
    public InstanceSnapshot {
        errors = List.copyOf(errors);
    }

    /** That of a destination which the server has, or would have if another server did not. */
    public InstanceSnapshot(
            String destination,
            boolean stopped,
            Optional<Instance> instance,
            Optional<InstanceHealth> health,
            PaceStatus pace,
            List<ErrorLog.Item> errors,
            Throughput throughput,
            @Nullable String problem,
            @Nullable Instant retryAt) {
        this(destination, stopped, instance, health, pace, errors, throughput, problem, retryAt, null);
    }

    /** What an operator can do about a failure of the source: what is known of the newest error of its kind, or else of all of them. */
    public String remedy(SourceFailure failure) {
        return ErrorLog.remedy(failure, errors);
    }

    /** That of a destination which the server does not have. */
    public static InstanceSnapshot ofMissing(String destination, Missing missing) {
        return new InstanceSnapshot(
                destination,
                false,
                Optional.empty(),
                Optional.empty(),
                new PaceStatus(false, null, null, null, RateLimits.NONE),
                List.of(),
                Throughput.NONE,
                missing.problem(),
                null,
                missing);
    }
}
