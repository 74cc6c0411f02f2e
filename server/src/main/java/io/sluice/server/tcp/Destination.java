package io.sluice.server.tcp;

import io.sluice.server.config.instance.StoreConfig;
import io.sluice.server.pull.PullClients;
import io.sluice.server.pull.PullException;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.BatchMode;
import java.util.function.Consumer;

/**
 * A destination whose entries clients may pull.
 *
 * @param clients its pulling clients
 * @param store how its batches are cut
 * @param onDamage receives the failure if an event cannot be decoded, or its message is too large for any batch; ends the instance
 */
public record Destination(PullClients clients, StoreConfig store, Consumer<RuntimeException> onDamage) {
    /** A batch of more bytes is not handed out at once, whatever a client asks for: it must fit into memory, twice. */
    private static final long MAX_BYTES = 64 << 20;

    /** How much a get of this size takes. A size below one is one unit of memory, but of entries it is an error. */
    BatchLimit limit(int fetchSize) {
        if (store.batchMode() == BatchMode.MEMSIZE) {
            long bytes = (long) fetchSize * store.ring().bytesPerSlot();
            return BatchLimit.bytes(Math.max(1, Math.min(bytes, MAX_BYTES)));
        }
        if (fetchSize < 1) {
            throw new PullException("fetch_size must be at least 1: " + fetchSize);
        }
        return BatchLimit.entries(fetchSize, MAX_BYTES);
    }
}
