package io.sluice.mysql.wire.query;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.PacketTooLargeException;
import io.sluice.mysql.wire.error.ResultTooLargeException;
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

    /** Far more than the packets have that begin or end an answer. */
    private static final int MAX_END_BYTES = 64 * 1024;

    private final PacketChannel channel;
    private final String doing;
    private final ResultLimit limit;
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
        this.limit = limit;
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
     * @throws ResultTooLargeException if it is larger than the limit
     * @throws MalformedPacketException if the answer is not the protocol
     * @throws IOException if the connection fails
     */
    public QueryResult read(IntFunction<String> adviceOnError) throws IOException {
        long columnCount = begin(receive(), adviceOnError);
        if (columnCount < 0) {
            return QueryResult.EMPTY;
        }
        List<String> columns = readColumns(columnCount);
        List<QueryResult.Row> rows = new ArrayList<>();
        for (Payload row = receive(); !isEnd(row, adviceOnError); row = receive()) {
            budget.takeRow(columns.size(), row.remaining(), packet.array().length);
            rows.add(readRow(row, columns));
        }
        return new QueryResult(columns, rows);
    }

    /**
     * Hands on each row of an answer to one statement as it comes. So only the largest of them must be within the limit of heap, if the taker does not keep more.
     *
     * @throws IOException as {@link #read}, or of the taker; the rest of the answer is not read then
     */
    public void forEach(IntFunction<String> adviceOnError, RowTaker taker) throws IOException {
        long columnCount = begin(receive(), adviceOnError);
        if (columnCount >= 0) {
            List<String> columns = readColumns(columnCount);
            for (Payload row = receive(); !isEnd(row, adviceOnError); row = receive()) {
                budget.passRow(columns.size(), row.remaining(), packet.array().length);
                taker.take(readRow(row, columns));
            }
        }
    }

    /**
     * Waits for the whole answer to one statement, of which nothing is kept, whatever its size.
     *
     * @throws IOException as {@link #read}
     */
    public void discard(IntFunction<String> adviceOnError) throws IOException {
        Payload first = receiveShort();
        if (first == null) {
            throw new MalformedPacketException(
                    "answer begins with a packet of more than %d bytes".formatted(MAX_END_BYTES));
        }
        long columnCount = begin(first, adviceOnError);
        for (long i = 0; i < columnCount; i++) {
            receiveShort();
        }
        if (columnCount >= 0) {
            requireColumnsEnd(receiveShort());
            Payload row;
            do {
                row = receiveShort();
            } while (row == null || !isEnd(row, adviceOnError));
        }
    }

    private Payload receive() throws IOException {
        try {
            return channel.receive(packet);
        } catch (PacketTooLargeException e) {
            ResultTooLargeException large = new ResultTooLargeException(String.valueOf(e.getMessage()), limit.remedy());
            large.initCause(e);
            throw large;
        }
    }

    /** Receives a packet that may be an error, or an end; a larger one is discarded, and is null. */
    private @Nullable Payload receiveShort() throws IOException {
        packet.clear();
        int length = channel.receiveHeader();
        if (length > MAX_END_BYTES) {
            channel.receiveFirst(length, length, 0, packet);
            channel.passRest();
            return null;
        }
        channel.receiveRest(length, length, packet);
        return new Payload(packet.array(), 0, packet.size());
    }

    /** Returns how many columns the rows have that follow the first packet of an answer; −1 if none follow. */
    private long begin(Payload first, IntFunction<String> adviceOnError) throws IOException {
        hasMore = false;
        switch (first.peek()) {
            case OK -> {
                first.readByte();
                first.readLength();
                first.readLength();
                hasMore = (first.readInt2() & MORE_RESULTS_EXIST) != 0;
                return -1;
            }
            case EOF -> { // the answer to COM_SET_OPTION
                return -1;
            }
            case ErrorPacket.HEADER -> throw failure(first, adviceOnError);
            case LOCAL_FILE -> throw new MalformedPacketException("server asks for a local file, which it never gets");
            default -> {
                long columnCount = first.readLength();
                if (columnCount > MAX_COLUMNS) {
                    throw new MalformedPacketException("result has %d columns".formatted(columnCount));
                }
                return columnCount;
            }
        }
    }

    private List<String> readColumns(long columnCount) throws IOException {
        List<String> columns = new ArrayList<>();
        for (long i = 0; i < columnCount; i++) {
            Payload definition = receive();
            budget.takeColumn(definition.remaining(), packet.array().length);
            columns.add(readColumnName(definition));
        }
        requireColumnsEnd(receive());
        return columns;
    }

    private static void requireColumnsEnd(@Nullable Payload afterColumns) throws MalformedPacketException {
        if (afterColumns == null || !isEof(afterColumns)) {
            throw new MalformedPacketException("columns of a result do not end with an EOF packet");
        }
    }

    /** Whether a packet is the end of the rows, and not one of them. */
    private boolean isEnd(Payload payload, IntFunction<String> adviceOnError) throws IOException {
        if (isEof(payload)) {
            payload.skip(3);
            hasMore = (payload.readInt2() & MORE_RESULTS_EXIST) != 0;
            return true;
        }
        if (payload.peek() == ErrorPacket.HEADER) {
            throw failure(payload, adviceOnError);
        }
        return false;
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
