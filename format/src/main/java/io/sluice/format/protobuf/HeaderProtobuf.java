package io.sluice.format.protobuf;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionGtid;
import io.sluice.format.value.Digits;
import io.sluice.mysql.gtid.Gtid;
import io.sluice.mysql.gtid.MySqlGtid;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes the header of a protobuf {@code Entry}. Fields of the last one are kept as ready bytes, since those of the next are the same
 * nearly always. For one thread.
 */
final class HeaderProtobuf {
    private static final int TAG_HEADER = 0x0A;

    private static final int TAG_VERSION = 0x08;
    private static final int TAG_LOGFILE_NAME = 0x12;
    private static final int TAG_LOGFILE_OFFSET = 0x18;
    private static final int TAG_SERVER_ID = 0x20;
    private static final byte[] SERVEREN_CODE = {0x2A, 5, 'U', 'T', 'F', '-', '8'};
    private static final int TAG_EXECUTE_TIME = 0x30;
    private static final byte[] SOURCE_TYPE_MYSQL = {0x38, 2};
    private static final int TAG_EVENT_LENGTH = 0x50;
    private static final int TAG_EVENT_TYPE = 0x58;
    private static final int TAG_PROPS = 0x62;
    private static final int TAG_GTID = 0x6A;

    private static final byte[] KEY_GTID = ascii("curtGtid");
    private static final byte[] KEY_SEQUENCE = ascii("curtGtidSn");
    private static final byte[] KEY_LAST_COMMITTED = ascii("curtGtidLct");

    /** A pair of {@code props} up to the length of its value: the count of rows. */
    private static final byte[] ROWS_COUNT = {0x62, 0, 0x0A, 9, 'r', 'o', 'w', 's', 'C', 'o', 'u', 'n', 't', 0x12};

    /** How long the pair is beside the digits of its value. */
    private static final int PAIR_LENGTH = ROWS_COUNT.length - 1;

    /** How much the numbers of a header take at most, with the count of rows. */
    private static final int ROOM = 128;

    /** How much they take mostly. */
    private static final int USUAL_NUMBERS = 28;

    private static final byte[] NO_NAMES = ProtobufTable.names("", "");
    private static final byte[] NOTHING = {};

    /** The first two fields, version and file name. */
    private byte[] file = NOTHING;

    private @Nullable String fileName;

    private byte[] serverAndTime = NOTHING;
    private long serverId = -1;
    private long timeMillis = -1;

    /** The {@code props} of a GTID, and the field {@code gtid}. */
    private final ByteWriter gtidProps = new ByteWriter(128);

    private final ByteWriter gtidSet = new ByteWriter(64);
    private @Nullable TransactionGtid gtid;

    /**
     * Appends the header with its tag and length.
     *
     * @param count of its rows; none is stated if it is 0
     * @return where the pair with the count is
     */
    int write(BinlogEntry entry, int count, ByteWriter out) {
        Origin origin = entry.origin();
        byte[] names = namesOf(entry);
        useFile(origin.file().name());
        useServerAndTime(origin);
        useGtid(origin.gtid());
        int sure = file.length + serverAndTime.length + names.length + gtidProps.size() + gtidSet.size();
        out.ensure(sure + ROOM);

        byte[] target = out.array();
        int to = out.size();
        target[to++] = TAG_HEADER;
        int lengthAt = to;
        int lengthBytes = ByteWriter.varintLength(sure + USUAL_NUMBERS);
        to = put(file, target, to + lengthBytes);
        target[to] = TAG_LOGFILE_OFFSET;
        to = ByteWriter.putVarint(target, to + 1, origin.offset());
        to = put(serverAndTime, target, to);
        to = put(names, target, to);
        target[to] = TAG_EVENT_LENGTH;
        to = ByteWriter.putVarint(target, to + 1, origin.length());
        EventType type = entry.eventType();
        if (type != null) {
            target[to] = TAG_EVENT_TYPE;
            to = ByteWriter.putVarint(target, to + 1, type.getNumber());
        }
        to = put(gtidProps, target, to);
        int countAt = to;
        if (count > 0) {
            to = putCount(target, to, count);
        }
        to = put(gtidSet, target, to);
        out.setSize(to);
        return countAt + ProtobufFields.closeLength(out, lengthAt, lengthBytes) - lengthBytes;
    }

    /** Replaces a count of one digit by another one. */
    static void replaceDigit(byte[] target, int countAt, int count) {
        target[countAt + ROWS_COUNT.length + 1] = (byte) ('0' + count);
    }

    /** The header's fields {@code schemaName} and {@code tableName}. */
    private static byte[] namesOf(BinlogEntry entry) {
        if (entry instanceof RowsEntry rows) {
            return ProtobufTable.of(rows.table()).names;
        }
        return entry instanceof StatementEntry statement
                ? ProtobufTable.names(statement.schema(), statement.table())
                : NO_NAMES;
    }

    private void useFile(String name) {
        if (!name.equals(fileName)) {
            ByteWriter out = new ByteWriter(name.length() + 8);
            ProtobufFields.writeNumber(out, TAG_VERSION, 1);
            ProtobufFields.writeString(out, TAG_LOGFILE_NAME, name.getBytes(StandardCharsets.UTF_8));
            file = out.toByteArray();
            fileName = name;
        }
    }

    private void useServerAndTime(Origin origin) {
        if (origin.serverId() != serverId || origin.timeMillis() != timeMillis) {
            ByteWriter out = new ByteWriter(32);
            ProtobufFields.writeNumber(out, TAG_SERVER_ID, origin.serverId());
            out.write(SERVEREN_CODE);
            ProtobufFields.writeNumber(out, TAG_EXECUTE_TIME, origin.timeMillis());
            out.write(SOURCE_TYPE_MYSQL);
            serverAndTime = out.toByteArray();
            serverId = origin.serverId();
            timeMillis = origin.timeMillis();
        }
    }

    private void useGtid(@Nullable TransactionGtid transaction) {
        if (transaction != gtid) {
            String shown = transaction == null ? null : transaction.shown();
            gtidSet.clear();
            gtidProps.clear();
            if (transaction != null && shown != null) {
                ProtobufFields.writeString(gtidSet, TAG_GTID, ascii(shown));
                writeProps(transaction);
            }
            gtid = transaction;
        }
    }

    /** Only of MySQL, as with canal. */
    private void writeProps(TransactionGtid transaction) {
        Gtid own = transaction.gtid();
        if (own instanceof MySqlGtid) {
            ProtobufFields.writePair(gtidProps, TAG_PROPS, KEY_GTID, ascii(own.toString()));
            ProtobufFields.writePair(
                    gtidProps, TAG_PROPS, KEY_SEQUENCE, ascii(Long.toString(transaction.sequenceNumber())));
            ProtobufFields.writePair(
                    gtidProps, TAG_PROPS, KEY_LAST_COMMITTED, ascii(Long.toString(transaction.lastCommitted())));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static int put(byte[] bytes, byte[] target, int to) {
        System.arraycopy(bytes, 0, target, to, bytes.length);
        return to + bytes.length;
    }

    private static int put(ByteWriter bytes, byte[] target, int to) {
        System.arraycopy(bytes.array(), 0, target, to, bytes.size());
        return to + bytes.size();
    }

    private static int putCount(byte[] target, int at, int count) {
        int digits = at + ROWS_COUNT.length + 1;
        System.arraycopy(ROWS_COUNT, 0, target, at, ROWS_COUNT.length);
        int end = Digits.putLong(target, digits, count);
        target[digits - 1] = (byte) (end - digits);
        target[at + 1] = (byte) (PAIR_LENGTH + end - digits);
        return end;
    }
}
