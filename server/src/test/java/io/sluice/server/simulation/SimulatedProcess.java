package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedSender;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.cursor.CursorException;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.ring.EntryStore;
import io.sluice.stream.source.SimulatedReader;
import io.sluice.stream.source.SourceListener;
import io.sluice.stream.source.SourceState;
import io.sluice.stream.source.search.SmallestCursor;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A process with one instance, connected as {@code Instance} does it, whose threads are replaced by steps that are chosen at random.
 */
final class SimulatedProcess {
    /** The parts of a process. */
    interface Parts {
        CursorStore cursors(SimulatedProcess process);

        EntryStore store();

        TableFilter tables(CursorStore cursors);

        SimulatedReader reader(SimulatedProcess process, TableFilter tables, EntryStore store, @Nullable Cursor cursor);

        /** The sender; null if clients pull. */
        @Nullable SimulatedSender sender(SimulatedProcess process, EntryStore store);

        /** The clients; null if there is a sender. */
        @Nullable SimulatedClients clients(SimulatedProcess process, TableFilter tables, EntryStore store);
    }

    private final String server;
    private final Ownership ownership;
    private final SimulatedClock time;
    private final RandomGenerator random;
    private final SimulatedServers servers;
    private final Consumer<Cursor> onBegin;
    private final Runnable onStreaming;
    private final List<Runnable> encodings = new ArrayList<>();
    private final List<Runnable> conversions = new ArrayList<>();
    private final CursorStore cursors;
    private final boolean storesFirst;
    private final boolean goesBack;
    private final EntryStore store;
    private final SimulatedReader reader;
    private final @Nullable SimulatedSender sender;
    private final @Nullable SimulatedClients clients;
    private long idleUntil;
    private boolean isDead;
    private boolean isStopping;

    SimulatedProcess(
            String server,
            Ownership ownership,
            Parts parts,
            SimulatedClock time,
            RandomGenerator random,
            SimulatedServers servers,
            boolean storesFirst,
            boolean goesBack,
            Consumer<Cursor> onBegin,
            Runnable onStreaming) {
        this.server = server;
        this.ownership = ownership;
        this.time = time;
        this.random = random;
        this.servers = servers;
        this.storesFirst = storesFirst;
        this.goesBack = goesBack;
        this.onBegin = onBegin;
        this.onStreaming = onStreaming;
        this.cursors = parts.cursors(this);
        this.store = parts.store();
        TableFilter tables = parts.tables(cursors);
        this.reader = parts.reader(this, tables, store, SmallestCursor.of(cursors.kept()));
        this.sender = parts.sender(this, store);
        this.clients = parts.clients(this, tables, store);
        if (sender != null) {
            cursors.subscribe(Subscription.QUEUE_CLIENT, "");
        }
    }

    /** The server that it is of. */
    String server() {
        return server;
    }

    Ownership ownership() {
        return ownership;
    }

    /** Completes its write of a cursor. */
    boolean mayWrite() {
        return !isDead && ownership.isHeld();
    }

    boolean isDead() {
        return isDead;
    }

    CursorStore cursors() {
        return cursors;
    }

    SourceState state() {
        return reader.state();
    }

    String senderState() {
        return sender == null ? "pulled" : sender.state();
    }

    void encode(Runnable task) {
        if (random.nextInt(20) == 0) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        encodings.add(task);
    }

    void convert(Runnable task) {
        conversions.add(task);
    }

    /** As that of {@code Instance}. */
    SourceListener listener() {
        return new SourceListener() {
            @Override
            public void onStart(Cursor first) throws IOException {
                try {
                    store.begin(first);
                    if (storesFirst) {
                        cursors.begin(() -> first);
                    }
                } catch (CursorException e) {
                    throw new SourceException(SourceFailure.CURSOR_NOT_STORED, String.valueOf(e.getMessage()), e);
                }
                onBegin.accept(first);
            }

            @Override
            public void onGoBack(Cursor to) throws IOException {
                if (!goesBack) {
                    return;
                }
                store.goBack(to);
                try {
                    cursors.goBack(to);
                } catch (CursorException e) {
                    throw new SourceException(SourceFailure.CURSOR_NOT_STORED, String.valueOf(e.getMessage()), e);
                }
            }

            @Override
            public void onState(SourceState state) {
                if (state instanceof SourceState.Streaming) {
                    onStreaming.run();
                }
            }
        };
    }

    /** Ends the process as a crash does. */
    void die() {
        isDead = true;
    }

    /** Begins an orderly stop. */
    void stop() {
        isStopping = true;
        reader.close();
        encodings.clear();
        if (sender != null) {
            sender.stop();
        }
        if (clients != null) {
            clients.close();
        }
    }

    boolean isStopping() {
        return isStopping;
    }

    /** Whether it has stopped in an orderly way, and has written its cursor. */
    boolean endIfStopped() {
        if (!isStopping || sender != null && !sender.hasEnded()) {
            return false;
        }
        store.close();
        try {
            cursors.close();
        } catch (CursorException e) {
            // what was acknowledged last comes again
        }
        isDead = true;
        return true;
    }

    /** Whether a part has ended by itself. */
    boolean hasFailed() {
        return !isStopping && (reader.hasEnded() || sender != null && sender.hasEnded());
    }

    private boolean isReaderDue() {
        if (isStopping || reader.hasEnded() || time.elapsedNanos() < idleUntil || !reader.hasRoom()) {
            return false;
        }
        SimulatedDump dump = servers.dump();
        return !(reader.state() instanceof SourceState.Streaming) || dump == null || dump.isReady();
    }

    /** Makes a step of one of the parts; null if none is due. */
    @Nullable String step() throws InterruptedException {
        boolean isReaderDue = isReaderDue();
        boolean isSenderDue = sender != null && !sender.hasEnded() && sender.isDue();
        int kinds = (isReaderDue ? 2 : 0)
                + (isSenderDue ? 2 : 0)
                + (encodings.isEmpty() ? 0 : 1)
                + (conversions.isEmpty() ? 0 : 1);
        if (kinds == 0) {
            return null;
        }
        int chosen = random.nextInt(kinds);
        if (isReaderDue) {
            if (chosen < 2) {
                Duration idle = reader.step();
                idleUntil = idle.isZero() ? 0 : time.elapsedNanos() + idle.toNanos();
                return "reader";
            }
            chosen -= 2;
        }
        if (isSenderDue) {
            if (chosen < 2) {
                sender.step();
                return "sender";
            }
            chosen -= 2;
        }
        List<Runnable> tasks = !encodings.isEmpty() && chosen == 0 ? encodings : conversions;
        String name = tasks == encodings ? "encoder" : "converter";
        tasks.remove(random.nextInt(tasks.size())).run();
        return name;
    }

    /** How long until a step is due, if nothing happens before. */
    long nanosLeft() {
        long left = sender == null || sender.hasEnded() ? Long.MAX_VALUE : sender.nanosLeft();
        if (isStopping || reader.hasEnded() || !reader.hasRoom()) {
            return left;
        }
        SimulatedDump dump = servers.dump();
        if (time.elapsedNanos() < idleUntil) {
            return Math.min(left, idleUntil - time.elapsedNanos());
        }
        return reader.state() instanceof SourceState.Streaming && dump != null
                ? Math.min(left, dump.nanosLeft())
                : left;
    }
}
