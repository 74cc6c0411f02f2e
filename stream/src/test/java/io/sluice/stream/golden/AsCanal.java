package io.sluice.stream.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Damages what we deliver of MariaDB the way canal does, so that all else can be held against the record exactly.
 *
 * <ul>
 *   <li>JSON, which MariaDB keeps as text, is given as bytes (sqlType BLOB), not as text (CLOB).
 *   <li>UUID and INET6 are given as if their bytes were UTF-8, not as the server shows them.
 *   <li>From 11.7 on, events within a transaction do not state where they end: canal then computes a negative offset.
 * </ul>
 */
final class AsCanal {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final boolean damages;
    private final Set<String> placeless = new HashSet<>();

    AsCanal(GoldenCase golden) throws IOException {
        damages = golden.traits().mariaDb();
        for (String file : damages ? golden.binlogs() : List.<String>of()) {
            try (BinlogFile events = BinlogFile.open(golden.binlog(file))) {
                ByteWriter event = new ByteWriter(1 << 12);
                long offset = 4;
                for (int length = events.next(event); length >= 0; length = events.next(event)) {
                    if (EventHeader.read(event.array(), 0, length).nextOffset() == 0) {
                        placeless.add(file + ":" + offset);
                    }
                    offset += length;
                    event.clear();
                }
            }
        }
    }

    /** A flat message. */
    String flat(String message) throws IOException {
        if (!damages) {
            return message;
        }
        ObjectNode copy = (ObjectNode) JSON.readTree(message);
        JsonNode types = copy.get("mysqlType");
        for (Map.Entry<String, JsonNode> type : types.properties()) {
            String mysqlType = type.getValue().asText();
            damage(copy.get("data"), type.getKey(), mysqlType);
            damage(copy.get("old"), type.getKey(), mysqlType);
            if (mysqlType.equalsIgnoreCase("JSON")) {
                ((ObjectNode) copy.get("sqlType")).put(type.getKey(), Types.BLOB);
            }
        }
        return copy.toString();
    }

    private static void damage(JsonNode rows, String name, String mysqlType) {
        if (rows instanceof ArrayNode array) {
            for (JsonNode row : array) {
                if (row.hasNonNull(name)) {
                    ((ObjectNode) row)
                            .put(name, damaged(mysqlType, row.get(name).asText()));
                }
            }
        }
    }

    /** A serialized entry. */
    byte[] raw(byte[] entry) throws IOException {
        if (!damages) {
            return entry;
        }
        Entry.Builder copy = Entry.parseFrom(entry).toBuilder();
        Header.Builder header = copy.getHeaderBuilder();
        if (placeless.contains(header.getLogfileName() + ":" + header.getLogfileOffset())) {
            header.setLogfileOffset(-header.getEventLength());
        }
        if (copy.getEntryType() == EntryType.ROWDATA) {
            RowChange.Builder change = RowChange.parseFrom(copy.getStoreValue()).toBuilder();
            for (RowData.Builder row : change.getRowDatasBuilderList()) {
                row.getBeforeColumnsBuilderList().forEach(AsCanal::damage);
                row.getAfterColumnsBuilderList().forEach(AsCanal::damage);
            }
            copy.setStoreValue(change.build().toByteString());
        }
        return copy.build().toByteArray();
    }

    private static void damage(Column.Builder column) {
        if (column.getMysqlType().equalsIgnoreCase("JSON")) {
            column.setSqlType(Types.BLOB);
        }
        if (!column.getIsNull()) {
            column.setValue(damaged(column.getMysqlType(), column.getValue()));
        }
    }

    private static String damaged(String mysqlType, String value) {
        return switch (mysqlType.toUpperCase(Locale.ROOT)) {
            case "JSON" -> new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
            case "UUID" -> {
                UUID uuid = UUID.fromString(value);
                ByteBuffer bytes = ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits());
                yield asUtf8(bytes.array());
            }
            case "INET6" -> {
                try {
                    yield asUtf8(InetAddress.getByName(value).getAddress());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            default -> value;
        };
    }

    private static String asUtf8(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return new String(Arrays.copyOf(bytes, length), StandardCharsets.UTF_8);
    }
}
