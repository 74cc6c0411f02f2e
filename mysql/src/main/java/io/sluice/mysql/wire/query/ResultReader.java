package io.sluice.mysql.wire.query;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.ServerErrorException;
import io.sluice.mysql.wire.packet.ErrorPacket;
import io.sluice.mysql.wire.packet.PacketChannel;
import io.sluice.mysql.wire.packet.Payload;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer to a text query. Pages <em>COM_QUERY Response</em> and <em>Text Resultset</em> of MySQL's source code
 * documentation.
 *
 * <pre>
 *   column count   column definition × count   EOF   row × n   EOF        or OK, or ERR, at the start
 * </pre>
 *
 * <p>For one thread.
 */
public final class ResultReader {
    private static final int OK = 0x00;
    private static final int LOCAL_FILE = 0xFB;
    private static final int EOF = 0xFE;

    /** In the status of a result: that of another statement follows. */
    private static final int MORE_RESULTS_EXIST = 0x0008;

    /** An EOF packet is shorter than this; a row that starts with 0xFE is longer than 16 MiB. */
    private static final int EOF_BYTES_BELOW = 9;

    /** More columns than a table can have (4096), and few enough to allocate at once. */
    private static final int MAX_COLUMNS = 0xFFFF;

    private final PacketChannel channel;
    private final String doing;
    private final HeapBudget budget;
    private final ByteWriter packet = new ByteWriter(1024);
    private boolean hasMore;

    /**
     * Makes a reader of one answer.
     *
     * @param channel brings the answer to the query that was sent over it
     * @param doing what was asked and where, for messages
     * @param limit how much to take, of the results of all statements together; the channel is limited to its packets
     */
    public ResultReader(PacketChannel channel, String doing, ResultLimit limit) {
        this.channel = channel;
        this.doing = doing;
        this.budget = new HeapBudget(limit, "result");
    }

    /** Whether the answer to the next of several statements follows the one that was read last. */
    public boolean hasMore() {
        return hasMore;
    }

    /**
     * Waits for the whole answer to one statement.
     *
     * @param adviceOnError what an operator can do about an error number of the server; empty for nothing that is known
     * @return the rows, all in memory; no columns and no rows if the statement gives none
     * @throws ServerErrorException if the answer is an error; then no other follows
     * @throws MalformedPacketException if the answer is not the protocol, or larger than the limit
     * @throws IOException if the connection fails
     */
    public QueryResult read(IntFunction<String> adviceOnError) throws IOException {
        hasMore = false;
        Payload first = channel.receive(packet);
        switch (first.peek()) {
            case OK -> {
                first.readByte();
                first.readLength();
                first.readLength();
                hasMore = (first.readInt2() & MORE_RESULTS_EXIST) != 0;
                return QueryResult.EMPTY;
            }
            case EOF -> { // the answer to COM_SET_OPTION
                return QueryResult.EMPTY;
            }
            case ErrorPacket.HEADER -> throw failure(first, adviceOnError);
            case LOCAL_FILE -> throw new MalformedPacketException("server asks for a local file, which it never gets");
            default -> {
                return readRows(first.readLength(), adviceOnError);
            }
        }
    }

    private QueryResult readRows(long columnCount, IntFunction<String> adviceOnError) throws IOException {
        if (columnCount > MAX_COLUMNS) {
            throw new MalformedPacketException("result has %d columns".formatted(columnCount));
        }
        List<String> columns = new ArrayList<>();
        for (long i = 0; i < columnCount; i++) {
            Payload definition = channel.receive(packet);
            budget.takeColumn(definition.remaining(), packet.array().length);
            columns.add(readColumnName(definition));
        }
        Payload afterColumns = channel.receive(packet);
        if (!isEof(afterColumns)) {
            throw new MalformedPacketException("columns of a result do not end with an EOF packet");
        }

        List<QueryResult.Row> rows = new ArrayList<>();
        while (true) {
            Payload payload = channel.receive(packet);
            if (isEof(payload)) {
                payload.skip(3);
                hasMore = (payload.readInt2() & MORE_RESULTS_EXIST) != 0;
                return new QueryResult(columns, rows);
            }
            if (payload.peek() == ErrorPacket.HEADER) {
                throw failure(payload, adviceOnError);
            }
            budget.takeRow(columns.size(), payload.remaining(), packet.array().length);
            rows.add(readRow(payload, columns));
        }
    }

    private ServerErrorException failure(Payload payload, IntFunction<String> advice) throws MalformedPacketException {
        ErrorPacket error = ErrorPacket.decode(payload);
        return error.toException(doing, advice.apply(error.errno()));
    }

    private static boolean isEof(Payload payload) throws MalformedPacketException {
        return payload.peek() == EOF && payload.remaining() < EOF_BYTES_BELOW;
    }

    /**
     * The name in a column definition. Page <em>Column Definition</em>.
     *
     * <pre>
     *   +---------+--------+-------+-----------+------+-----
     *   | catalog | schema | alias | table     | name | ...    all length-encoded strings; what follows describes
     *   | "def"   |        |       |           |      |        the type, and text results have no need of it
     *   +---------+--------+-------+-----------+------+-----
     * </pre>
     */
    static String readColumnName(Payload payload) throws MalformedPacketException {
        for (int skipped = 0; skipped < 4; skipped++) {
            payload.skip(payload.readLength());
        }
        return payload.readLengthEncodedText();
    }

    private static QueryResult.Row readRow(Payload payload, List<String> columns) throws MalformedPacketException {
        byte[] @Nullable [] values = new byte[columns.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = payload.readLengthEncodedBytesOrNull();
        }
        if (payload.remaining() > 0) {
            throw new MalformedPacketException("row has %d bytes too many".formatted(payload.remaining()));
        }
        return new QueryResult.Row(columns, values);
    }
}
