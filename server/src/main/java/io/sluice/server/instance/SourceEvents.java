package io.sluice.server.instance;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.StreamCursors;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceState;
import java.io.IOException;
import java.util.function.Consumer;

/** Stores the position where a stream begins, and translates the states of a source into those of its instance. */
final class SourceEvents implements SourceListener {
    private final EntryStore store;
    private final StreamCursors cursors;
    private final Lifecycle lifecycle;
    private final FailureCounts failures;
    private final ErrorLog errors;
    private final Consumer<Cursor> onReset;

    /** @param onReset gets the position where the stream continues after changes were lost; must not block */
    SourceEvents(
            EntryStore store,
            StreamCursors cursors,
            Lifecycle lifecycle,
            FailureCounts failures,
            ErrorLog errors,
            Consumer<Cursor> onReset) {
        this.store = store;
        this.cursors = cursors;
        this.lifecycle = lifecycle;
        this.failures = failures;
        this.errors = errors;
        this.onReset = onReset;
    }

    @Override
    public void onStart(Cursor first) throws IOException {
        try {
            store.begin(first);
            cursors.begin(() -> first);
        } catch (CursorException e) {
            throw new SourceException(
                    SourceFailure.CURSOR_NOT_STORED,
                    "the position where the stream begins cannot be stored: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void onReset(Cursor newest) {
        onReset.accept(newest);
    }

    @Override
    public void onGoBack(Cursor to) throws IOException {
        store.goBack(to); // first: what is saved of it from then on is not after that
        try {
            cursors.goBack(to);
        } catch (CursorException e) {
            throw new SourceException(
                    SourceFailure.CURSOR_NOT_STORED,
                    "the position to which the stream goes back cannot be stored: " + e.getMessage(),
                    e);
        }
    }

    @Override
    public void onState(SourceState state) {
        if (state instanceof SourceState.Streaming) {
            lifecycle.moveTo(InstanceState.RUNNING);
        } else if (state instanceof SourceState.BackingOff waits) {
            failures.add(waits.failure());
            errors.addOfSource(waits.failure(), waits.cause());
            lifecycle.moveTo(InstanceState.RETRYING);
        } else if (state instanceof SourceState.SwitchingHost leaves) {
            failures.add(leaves.failure());
            errors.addOfSource(leaves.failure(), leaves.cause());
            lifecycle.moveTo(InstanceState.RETRYING);
        } else if (state instanceof SourceState.Failed failed) {
            failures.add(failed.failure());
            errors.addOfSource(failed.failure(), failed.cause());
            lifecycle.fail(ErrorLog.SOURCE, failed.cause());
        }
    }
}
