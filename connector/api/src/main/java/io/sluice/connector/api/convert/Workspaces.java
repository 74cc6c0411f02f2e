package io.sluice.connector.api.convert;

import io.sluice.format.message.MessageEncoder;
import io.sluice.format.message.MessageFormat;
import io.sluice.format.split.ImageRowSplitter;
import io.sluice.format.split.RowSplitter;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The workspaces of one format, for all converters of a server: as many as ever converted at once. Thread-safe.
 */
public final class Workspaces {
    private final MessageFormat.Unit unit;
    private final Supplier<Workspace> maker;
    /** The one used last comes first: its buffers have the right sizes. */
    private final Deque<Workspace> idle = new ConcurrentLinkedDeque<>();

    /** Workspaces of a format, for entries of a binlog. */
    public Workspaces(MessageFormat format) {
        this(format.unit(), format::newEncoder, ImageRowSplitter::new);
    }

    /**
     * Makes workspaces of any encoders and splitters.
     *
     * @param unit what a message holds
     */
    public Workspaces(MessageFormat.Unit unit, Supplier<MessageEncoder> encoders, Supplier<RowSplitter> splitters) {
        this.unit = unit;
        this.maker = () -> new Workspace(encoders.get(), splitters.get());
    }

    MessageFormat.Unit unit() {
        return unit;
    }

    /** Does some work with a workspace that no other thread uses meanwhile. */
    <T> T with(Function<Workspace, T> work) {
        Workspace workspace = idle.pollFirst();
        if (workspace == null) {
            workspace = maker.get();
        }
        try {
            return work.apply(workspace);
        } finally {
            idle.addFirst(workspace);
        }
    }
}
