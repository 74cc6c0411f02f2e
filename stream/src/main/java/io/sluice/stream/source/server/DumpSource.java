package io.sluice.stream.source.server;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.wire.BinlogStream;
import io.sluice.mysql.wire.MySqlConnection;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.EOFException;
import java.io.IOException;

/** The events of a running dump. */
final class DumpSource implements EventSource {
    private final MySqlConnection connection;
    private final BinlogStream stream;
    private final boolean hasEnd;
    private final Runnable onClose;

    /** Of a dump that does not end before the server does. */
    DumpSource(MySqlConnection connection, BinlogStream stream) {
        this(connection, stream, false, () -> {});
    }

    /**
     * Of any dump.
     *
     * @param hasEnd whether the server was requested to end the dump where the binlog ends
     * @param onClose is called when it is closed
     */
    DumpSource(MySqlConnection connection, BinlogStream stream, boolean hasEnd, Runnable onClose) {
        this.connection = connection;
        this.stream = stream;
        this.hasEnd = hasEnd;
        this.onClose = onClose;
    }

    @Override
    public int next(ByteWriter out) throws IOException {
        int length = stream.next(out, LARGEST_WHOLE, FIRST_BYTES);
        if (length < 0 && !hasEnd) {
            throw new EOFException(connection.address() + " ended the dump, as it does when it shuts down");
        }
        return length;
    }

    @Override
    public boolean hasRest() {
        return stream.hasRest();
    }

    @Override
    public int rest(byte[] to, int at, int most) throws IOException {
        return stream.rest(to, at, most);
    }

    @Override
    public boolean hasBuffered() {
        return stream.hasBuffered();
    }

    @Override
    public Passed passed() {
        return stream.passed();
    }

    /** Ends the dump at once, also while it waits for events. */
    @Override
    public void close() {
        onClose.run();
        connection.abort();
    }
}
