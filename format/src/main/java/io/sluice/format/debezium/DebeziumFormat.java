package io.sluice.format.debezium;

import io.sluice.format.entry.EncodedEntry;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.GtidStamp;
import io.sluice.format.entry.LogFile;
import io.sluice.format.entry.Origin;
import io.sluice.format.entry.RowsEntry;
import io.sluice.format.entry.UnreadRowsEntry;
import io.sluice.format.message.BatchStamp;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.message.MessageFormat;
import io.sluice.format.row.MappedColumn;
import io.sluice.format.row.MappedTable;
import io.sluice.format.row.RowImage;
import io.sluice.format.row.RowImages;
import io.sluice.format.row.RowLayout;
import io.sluice.format.value.ColumnType;
import io.sluice.format.value.Digits;
import io.sluice.format.value.JsonText;
import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.mysql.type.TypeFamily;
import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * JSON in the envelope of Debezium's MySQL connector, without a schema: one message per row.
 *
 * <pre>
 *   {"before":{…}|null,"after":{…}|null,
 *    "source":{"connector","name","ts_ms","snapshot","db","table","server_id","gtid","file","pos","row"},
 *    "op":"c"|"u"|"d","ts_ms":…,"transaction":{"id"}|null}
 * </pre>
 *
 * <p>Columns: numbers and {@code BIT} as numbers, {@code BIT(1)} as a boolean, members of {@code ENUM} and {@code SET} by their names,
 * byte strings in Base64, {@code GEOMETRY} as {@code {"wkb","srid"}}; all else, {@code DECIMAL} and times among it, as the text that
 * flat JSON has. A column that is not in an image is left out. Statements have no message.
 */
public record DebeziumFormat() implements MessageFormat {
    @Override
    public String name() {
        return "debezium";
    }

    @Override
    public Unit unit() {
        return Unit.ROW;
    }

    @Override
    public MessageEncoder newEncoder() {
        return new Encoder();
    }

    /** How the values of a column are written. */
    private enum Form {
        NUMBER,
        BOOLEAN,
        TEXT,
        BYTES,
        GEOMETRY,
        ENUM,
        SET
    }

    /**
     * A column.
     *
     * @param start {@code ,"name":}
     * @param type how its values are read
     * @param form how they are written
     * @param members of an {@code ENUM} or {@code SET}, else none
     * @param minBytes how many bytes each byte string has at least: of a {@code BINARY(n)} all n, of which the binlog lacks the zero bytes
     *     at the end
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Column(byte[] start, ColumnType type, Form form, List<String> members, int minBytes) {
        private static final Pattern BINARY =
                Pattern.compile("\\s*(?:binary|char|character)(?:\\((\\d{1,3})\\))?\\s*", Pattern.CASE_INSENSITIVE);

        static Column of(MappedColumn column) {
            ByteWriter start = new ByteWriter(64);
            start.writeByte(',');
            JsonText.writeString(start, column.name());
            start.writeByte(':');
            Form form = formOf(column);
            return new Column(
                    start.toByteArray(),
                    column.type(),
                    form,
                    form == Form.ENUM || form == Form.SET ? Members.of(column.mysqlType()) : List.of(),
                    form == Form.BYTES ? fixedBytes(column.mysqlType()) : 0);
        }

        private static Form formOf(MappedColumn column) {
            return switch (TypeFamily.of(column.mysqlType())) {
                case ENUM -> Form.ENUM;
                case SET -> Form.SET;
                case GEOMETRY -> Form.GEOMETRY;
                case BIT -> isOneBit(column.mysqlType()) ? Form.BOOLEAN : Form.NUMBER;
                case INTEGER, FLOAT -> Form.NUMBER;
                default -> column.type().sqlType() == Types.BLOB ? Form.BYTES : Form.TEXT;
            };
        }

        /** The n of {@code BINARY(n)}, or of {@code CHAR(n)} whose character set is binary; 0 for other types. */
        private static int fixedBytes(String mysqlType) {
            Matcher type = BINARY.matcher(mysqlType);
            if (!type.matches()) {
                return 0;
            }
            return type.group(1) == null ? 1 : Integer.parseInt(type.group(1));
        }

        private static boolean isOneBit(String mysqlType) {
            int open = mysqlType.indexOf('(');
            return open < 0 || mysqlType.substring(open + 1).strip().startsWith("1)");
        }
    }

    /**
     * A table; the columns may be those of other tables, too.
     *
     * @param schema its schema as a JSON string
     * @param name its name as a JSON string
     * @param columns in the order of the table map
     */
    @SuppressWarnings("ArrayRecordComponent")
    private record Table(byte[] schema, byte[] name, Column[] columns) {
        static Table of(MappedTable table) {
            return new Table(
                    JsonText.stringOf(table.schema()),
                    JsonText.stringOf(table.table()),
                    table.layout().prepared(Column[].class, Table::columnsOf));
        }

        private static Column[] columnsOf(RowLayout layout) {
            return layout.columns().stream().map(Column::of).toArray(Column[]::new);
        }
    }

    /**
     * The members in the text of an ENUM or SET type: {@code enum('a','it''s')}; nothing but quotes is escaped in it. The server removes
     * blanks at the end of a member, which a statement may have.
     */
    private static final class Members {
        private static final char QUOTE = '\'';

        private Members() {}

        /** In their order; none if the text has none. */
        static List<String> of(String mysqlType) {
            List<String> members = new ArrayList<>();
            int at = mysqlType.indexOf(QUOTE) + 1;
            while (at > 0) {
                StringBuilder member = new StringBuilder();
                int end = read(mysqlType, at, member);
                members.add(withoutBlanksAtEnd(member));
                at = mysqlType.indexOf(QUOTE, end) + 1;
            }
            return List.copyOf(members);
        }

        private static String withoutBlanksAtEnd(StringBuilder member) {
            int length = member.length();
            while (length > 0 && member.charAt(length - 1) == ' ') {
                length--;
            }
            return member.substring(0, length);
        }

        /** Reads up to the closing quote; returns the index after it. */
        private static int read(String text, int from, StringBuilder member) {
            int at = from;
            while (at < text.length()) {
                char next = text.charAt(at++);
                if (next == QUOTE) {
                    if (at >= text.length() || text.charAt(at) != QUOTE) {
                        break;
                    }
                    at++;
                }
                member.append(next);
            }
            return at;
        }
    }

    private static final class Encoder implements MessageEncoder {
        private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
        private static final int MAX_KEPT_BYTES = 1 << 20;
        private static final int SRID_BYTES = 4;

        private final RowImages images = new RowImages();
        private ByteWriter text = new ByteWriter(256);

        @Override
        public boolean encode(Entry entry, BatchStamp batch, ByteWriter out) {
            if (entry instanceof UnreadRowsEntry unread) {
                throw unread.tooLarge();
            }
            if (entry instanceof EncodedEntry) {
                throw new IllegalStateException("was encoded ahead in another format: " + entry.changeId());
            }
            if (!(entry instanceof RowsEntry rows)) {
                return false;
            }
            int start = out.size();
            try {
                write(rows, batch, out);
                return true;
            } catch (MalformedEventException e) {
                out.setSize(start);
                throw rows.located(e);
            } catch (RuntimeException e) {
                out.setSize(start);
                throw e;
            } finally {
                images.close();
                if (text.array().length > MAX_KEPT_BYTES) {
                    text = new ByteWriter(256);
                }
            }
        }

        private void write(RowsEntry entry, BatchStamp batch, ByteWriter out) {
            Table table = entry.table().prepared(Table.class, Table::of);
            Column[] columns = table.columns;
            text.limitTo(out.limit());
            entry.open(images);
            RowImage first = images.next();
            switch (entry.eventType()) {
                case INSERT -> {
                    out.writeAscii("{\"before\":null,\"after\":");
                    writeImage(columns, first, out);
                }
                case DELETE -> {
                    out.writeAscii("{\"before\":");
                    writeImage(columns, first, out);
                    out.writeAscii(",\"after\":null");
                }
                default -> {
                    out.writeAscii("{\"before\":");
                    writeImage(columns, first, out);
                    out.writeAscii(",\"after\":");
                    writeImage(columns, images.nextAfter(), out);
                }
            }
            if (images.hasNext()) {
                throw new IllegalStateException("several rows for one message: " + entry.changeId());
            }
            entry.counted(1);
            writeSource(entry, table, out);
            out.writeAscii(",\"op\":\"");
            out.writeAscii(
                    switch (entry.eventType()) {
                        case INSERT -> "c";
                        case DELETE -> "d";
                        default -> "u";
                    });
            out.writeAscii("\",\"ts_ms\":");
            Digits.writeLong(out, batch.builtAtMillis());
            out.writeAscii(",\"transaction\":");
            writeTransaction(entry.origin().gtid(), out);
            out.writeByte('}');
        }

        private static void writeSource(RowsEntry entry, Table table, ByteWriter out) {
            Origin origin = entry.origin();
            LogFile file = origin.file();
            out.writeAscii(",\"source\":{\"connector\":\"mysql\",\"name\":");
            JsonText.writeString(out, file.source().host() + ":" + file.source().port());
            out.writeAscii(",\"ts_ms\":");
            Digits.writeLong(out, origin.timeMillis());
            out.writeAscii(",\"snapshot\":\"false\",\"db\":");
            out.write(table.schema);
            out.writeAscii(",\"table\":");
            out.write(table.name);
            out.writeAscii(",\"server_id\":");
            Digits.writeLong(out, origin.serverId());
            out.writeAscii(",\"gtid\":");
            writeText(gtidOf(origin.gtid()), out);
            out.writeAscii(",\"file\":");
            JsonText.writeString(out, file.name());
            out.writeAscii(",\"pos\":");
            Digits.writeLong(out, origin.offset());
            out.writeAscii(",\"row\":");
            Digits.writeLong(out, entry.changeId().row());
            out.writeByte('}');
        }

        private static @Nullable String gtidOf(@Nullable GtidStamp stamp) {
            return stamp == null ? null : stamp.transaction();
        }

        private static void writeTransaction(@Nullable GtidStamp stamp, ByteWriter out) {
            String gtid = gtidOf(stamp);
            if (gtid == null) {
                out.write(NULL);
                return;
            }
            out.writeAscii("{\"id\":");
            writeText(gtid, out);
            out.writeByte('}');
        }

        private static void writeText(@Nullable String value, ByteWriter out) {
            if (value == null) {
                out.write(NULL);
            } else {
                JsonText.writeString(out, value);
            }
        }

        private void writeImage(Column[] columns, RowImage image, ByteWriter out) {
            int start = out.size();
            for (int i = 0; i < columns.length; i++) {
                int length = image.lengths()[i];
                if (length == RowImage.ABSENT) {
                    continue;
                }
                Column column = columns[i];
                out.write(column.start);
                if (length == RowImage.NULL) {
                    out.write(NULL);
                } else if (RowImage.isRebuilt(length)) {
                    writeQuoted(images.rebuilt(), image.offsets()[i], RowImage.rebuiltLength(length), out);
                } else {
                    writeValue(column, image.offsets()[i], length, out);
                }
            }
            JsonText.closeObject(out, start);
        }

        private static void writeQuoted(byte[] utf8, int at, int length, ByteWriter out) {
            out.writeByte('"');
            int from = out.size();
            out.write(utf8, at, length);
            JsonText.escapeFrom(out, from);
            out.writeByte('"');
        }

        private void writeValue(Column column, int at, int length, ByteWriter out) {
            if (column.form == Form.NUMBER) {
                column.type.writeText(images.bytes(), at, length, out);
                return;
            }
            text.clear();
            column.type.writeText(images.bytes(), at, length, text);
            switch (column.form) {
                case BOOLEAN -> out.writeAscii(isZero() ? "false" : "true");
                case BYTES -> writeBytes(bytes(column.minBytes), 0, out);
                case GEOMETRY -> writeGeometry(bytes(0), out);
                case ENUM -> writeMember(column.members, out);
                case SET -> writeMembers(column.members, out);
                default -> writeQuoted(text.array(), 0, text.size(), out);
            }
        }

        private boolean isZero() {
            return text.size() == 1 && text.array()[0] == '0';
        }

        /** The byte string whose text, a character for each byte, was written, with zero bytes at its end if it is shorter. */
        private byte[] bytes(int min) {
            byte[] bytes = new String(text.array(), 0, text.size(), StandardCharsets.UTF_8)
                    .getBytes(StandardCharsets.ISO_8859_1);
            return bytes.length < min ? Arrays.copyOf(bytes, min) : bytes;
        }

        private static void writeBytes(byte[] bytes, int from, ByteWriter out) {
            out.writeByte('"');
            out.write(Base64.getEncoder().encode(Arrays.copyOfRange(bytes, from, bytes.length)));
            out.writeByte('"');
        }

        /** MySQL stores the SRID, little-endian, before the WKB. */
        private static void writeGeometry(byte[] bytes, ByteWriter out) {
            if (bytes.length < SRID_BYTES) {
                writeBytes(bytes, 0, out);
                return;
            }
            long srid = bytes[0] & 0xFF | (bytes[1] & 0xFF) << 8 | (bytes[2] & 0xFF) << 16 | (long) bytes[3] << 24;
            out.writeAscii("{\"wkb\":");
            writeBytes(bytes, SRID_BYTES, out);
            out.writeAscii(",\"srid\":");
            Digits.writeLong(out, srid & 0xFFFF_FFFFL);
            out.writeByte('}');
        }

        private long number() {
            return Long.parseUnsignedLong(new String(text.array(), 0, text.size(), StandardCharsets.US_ASCII));
        }

        /** Member 0 is the empty text that MySQL stores for a value that is none. */
        private void writeMember(List<String> members, ByteWriter out) {
            long number = number();
            if (number > members.size()) {
                writeQuoted(text.array(), 0, text.size(), out);
            } else {
                JsonText.writeString(out, number == 0 ? "" : members.get((int) number - 1));
            }
        }

        private void writeMembers(List<String> members, ByteWriter out) {
            long mask = number();
            StringBuilder names = new StringBuilder();
            for (int i = 0; i < members.size(); i++) {
                if ((mask >>> i & 1) != 0) {
                    names.append(names.isEmpty() ? "" : ",").append(members.get(i));
                }
            }
            JsonText.writeString(out, names.toString());
        }
    }
}
