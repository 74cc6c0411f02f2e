package io.sluice.admin.fleet.live;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Series with a value for each step, null where nothing was reported: {@code History} of the API.
 *
 * @param lagSeconds of an instance or a server the lag of reading; of all servers the largest lag, which is the delay of delivery where that is longer
 */
public record History(
        Instant from,
        long stepSeconds,
        List<@Nullable Long> rowsPerSecond,
        List<@Nullable Long> bytesPerSecond,
        List<@Nullable Long> lagSeconds,
        List<@Nullable Long> deliveryDelaySeconds) {}
