package io.sluice.format.protobuf;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.RowsEntry;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;

/**
 * The workers that encode entries ahead of the store, which several streams may share, and their encoders: as many as ever encoded at
 * once. Thread-safe.
 */
public final class EncodingPool {
    private final Executor workers;
    /** The one used last comes first: its buffer has the right size. */
    private final Deque<ProtobufEncoder> idle = new ConcurrentLinkedDeque<>();

    /** Encodes by the threads of {@code workers}, and by those that call {@link #encode} themselves. */
    public EncodingPool(Executor workers) {
        this.workers = workers;
    }

    /** The executor of the workers. */
    public Executor workers() {
        return workers;
    }

    /**
     * Replaces entries by their encoded form, but those that are large.
     *
     * @return whether none of them refers to the bytes of its event any more
     * @throws io.sluice.mysql.binlog.MalformedEventException if an event is damaged
     */
    public boolean encode(List<Entry> entries) {
        ProtobufEncoder encoder = idle.pollFirst();
        if (encoder == null) {
            encoder = new ProtobufEncoder();
        }
        try {
            boolean isDone = true;
            for (int i = 0; i < entries.size(); i++) {
                Entry entry = encoder.encoded(entries.get(i));
                isDone &= !(entry instanceof RowsEntry);
                entries.set(i, entry);
            }
            return isDone;
        } finally {
            idle.addFirst(encoder);
        }
    }
}
