package io.sluice.server.control;

import io.sluice.server.health.InstanceHealth;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.Instance;
import io.sluice.server.pace.PaceStatus;
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
        @Nullable Instant retryAt) {
    public InstanceSnapshot {
        errors = List.copyOf(errors);
    }
}
