package io.sluice.stream.reader;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.stream.event.Chunk;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.options.TransactionSpill;
import io.sluice.stream.spill.SpilledEntries;
import io.sluice.stream.xa.HeldSpace;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a large transaction from which the source may still roll back rows: they are in a file until the transaction ends, and
 * replayed then. For one thread, but for {@link #bytes}.
 *
 * <pre>
 *   NONE ──begin──▶ SPILLING ──seal──▶ REPLAYING ──the last entry was read──▶ NONE
 *                      └──────discard──────▶ NONE
 * </pre>
 */
final class SpilledTransaction {
    private final TransactionSpill options;
    private final HeldSpace space;
    private @Nullable SpilledEntries entries;
    private boolean isReplaying;
    private volatile long bytes;

    SpilledTransaction(TransactionSpill options) {
        this.options = options;
        this.space = options.space();
    }

    /** Whether entries are added. */
    boolean isSpilling() {
        return entries != null && !isReplaying;
    }

    /** Whether entries of a transaction that has ended are to be read, before anything else is. */
    boolean isReplaying() {
        return isReplaying;
    }

    /** How many bytes are held, or are not replayed yet. May be called by any thread. */
    long bytes() {
        return bytes;
    }

    /** Begins to hold a transaction. */
    void begin() {
        discard();
        entries = new SpilledEntries(space, options.maxBytes());
    }

    /** Adds an entry. */
    void append(BinlogEntry entry, boolean canBeUndone) {
        run("written to", held -> held.append(entry, canBeUndone));
    }

    /** Adds a savepoint; returns what names it. */
    long savepoint() {
        long[] offset = new long[1];
        run("written to", held -> offset[0] = held.savepoint());
        return offset[0];
    }

    /** Undoes the rows after a savepoint. */
    void undoAfter(long savepoint) {
        run("written to", held -> held.undoAfter(savepoint));
    }

    /** Undoes all rows. */
    void undoAll() {
        opened().undoAll();
    }

    /** States that the transaction has ended: its entries are read next. */
    void seal() {
        run("written to", SpilledEntries::seal);
        isReplaying = true;
    }

    /** The size of the next entry if it is large and read alone; else 0. */
    int nextLargeBytes() {
        int[] size = new int[1];
        run("read from", held -> size[0] = held.nextLargeBytes());
        return size[0];
    }

    /** Moves entries into a chunk; after the last one there is no replay any more. */
    void replay(Chunk chunk, int wantedBytes) {
        boolean[] more = new boolean[1];
        run("read from", held -> more[0] = held.read(chunk.events(), chunk.bytes(), chunk.entries(), wantedBytes));
        if (!more[0]) {
            discard();
        }
    }

    /** Forgets the transaction, and deletes its file. */
    void discard() {
        SpilledEntries held = entries;
        entries = null;
        isReplaying = false;
        bytes = 0;
        if (held != null) {
            held.discard();
        }
    }

    private SpilledEntries opened() {
        SpilledEntries held = entries;
        if (held == null) {
            throw new IllegalStateException("no transaction is held");
        }
        return held;
    }

    /** An access to the file. */
    @FunctionalInterface
    private interface Access {
        void run(SpilledEntries held) throws IOException;
    }

    private void run(String what, Access access) {
        SpilledEntries held = opened();
        try {
            access.run(held);
            bytes = held.bytes();
        } catch (IOException e) {
            discard(); // it is read again from its begin, and others may need the disk
            throw new StreamException(
                    SourceFailure.TRANSACTION_NOT_HELD,
                    "rows of a transaction that is held until it ends cannot be %s %s: %s"
                            .formatted(what, held.path() == null ? options.directory() : held.path(), e),
                    e);
        }
    }
}
