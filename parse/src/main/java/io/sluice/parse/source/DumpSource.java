package io.sluice.parse.source;

import io.sluice.parse.binlog.EventSource;
import io.sluice.parse.wire.BinlogStream;
import io.sluice.parse.wire.MySqlConnection;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.EOFException;
import java.io.IOException;

/** The events of a running dump. */
final class DumpSource implements EventSource {
    /** The file's name and its format come first; an error may stand between them and the first event. */
    private static final int HEADINGS = 2;

    private final MySqlConnection connection;
    private final BinlogStream stream;
    private final Runnable whenFlowing;
    private int headings = HEADINGS;

    /** @param whenFlowing is run once, when it is sure that the server sends events */
    DumpSource(MySqlConnection connection, BinlogStream stream, Runnable whenFlowing) {
        this.connection = connection;
        this.stream = stream;
        this.whenFlowing = whenFlowing;
    }

    @Override
    public int next(ByteWriter out) throws IOException {
        int length = stream.next(out, LARGEST_WHOLE, FIRST_BYTES);
        if (length < 0) {
            throw new EOFException(connection.address() + " ended the dump, as it does when it shuts down");
        }
        if (headings > 0 && --headings == 0) {
            whenFlowing.run();
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

    /** Ends the dump at once, also while it waits for events. */
    @Override
    public void close() {
        connection.abort();
    }
}
