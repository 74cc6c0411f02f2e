package io.sluice.stream.reader;

import io.sluice.mysql.binlog.EventHeader;
import io.sluice.mysql.binlog.NestedEvents;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.transaction.Xid;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.xa.HeldReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The replay of a held transaction for the event that commits it. For one thread. */
final class HeldReplay implements NestedEvents, HeldReader.Taker {
    private static final Logger LOG = LoggerFactory.getLogger(HeldReplay.class);

    private final HeldTransaction transaction;
    private final @Nullable Xid xid;
    private final TableMappings tables;
    private final StreamProgress progress;
    private final HeldReader reader;

    /** Events that were left out before the one that came last. */
    private int leftOut;

    /**
     * Begins to read its events.
     *
     * @param xid its xid if it was prepared; null if it is committed by the last of its own events
     * @param deciding the header of the event that commits it
     */
    HeldReplay(
            HeldTransaction transaction,
            @Nullable Xid xid,
            EventHeader deciding,
            TableMappings tables,
            StreamProgress progress) {
        this.transaction = transaction;
        this.xid = xid;
        this.tables = tables;
        this.progress = progress;
        try {
            this.reader = transaction.events().read(deciding, this);
        } catch (IOException e) {
            throw failed("read from", transaction, e);
        }
    }

    /** A failure of the disk. */
    static StreamException failed(String what, HeldTransaction transaction, IOException cause) {
        return new StreamException(
                SourceFailure.XA_NOT_HELD,
                "rows of an XA transaction that is held back cannot be %s %s: %s"
                        .formatted(what, transaction.events().file(), cause),
                cause);
    }

    HeldTransaction transaction() {
        return transaction;
    }

    /** The xid if it was prepared; null if it is committed by the last of its own events. */
    @Nullable Xid xid() {
        return xid;
    }

    @Override
    public void table(long tableId, int table) {
        tables.put(tableId, transaction.table(table));
    }

    @Override
    public void passed(int events) {
        leftOut += events;
        for (int i = 0; i < events; i++) {
            progress.passOfTransaction();
        }
    }

    @Override
    public int next(ByteWriter out) {
        leftOut = 0;
        try {
            return reader.next(out);
        } catch (IOException e) {
            throw failed("read from", transaction, e);
        }
    }

    @Override
    public int leftOut() {
        return leftOut;
    }

    @Override
    public boolean hasRest() {
        return reader.hasRest();
    }

    @Override
    public int rest(byte[] to, int at, int most) {
        try {
            return reader.rest(to, at, most);
        } catch (IOException e) {
            throw failed("read from", transaction, e);
        }
    }

    /** Closes the file, if there is one. */
    void close() {
        try {
            reader.close();
        } catch (IOException e) {
            LOG.debug(
                    "a file with rows of an XA transaction cannot be closed", e); // all that was needed of it was read
        }
    }
}
