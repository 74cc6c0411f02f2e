package io.sluice.deployer.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.Entry;
import io.sluice.protocol.entry.EntryType;
import io.sluice.protocol.entry.Header;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import io.sluice.protocol.packet.Messages;
import io.sluice.protocol.packet.Packet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Makes short lines of messages: of flat ones a line per row, with what an update changed; of packets a line per entry. */
final class MessagePrinter {
    private static final int MAX_VALUE_LENGTH = 40;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Form form;
    private final Paint paint;

    MessagePrinter(Form form, Paint paint) {
        this.form = form;
        this.paint = paint;
    }

    /**
     * A message as it is shown.
     *
     * @param lines for the reader
     * @param types what it does, such as {@code INSERT}
     */
    record Shown(List<String> lines, Set<String> types) {}

    /** Shows the value of a record. */
    Shown show(byte[] value) {
        try {
            if (form == Form.RAW) {
                return packet(Messages.parseFrom(Packet.parseFrom(value).getBody()));
            }
            JsonNode json = MAPPER.readTree(value);
            List<String> lines = form == Form.JSON ? List.of(new String(value, StandardCharsets.UTF_8)) : lines(json);
            return new Shown(lines, Set.of(json.path("type").asText()));
        } catch (IOException e) {
            throw new IllegalArgumentException("not a message of form " + form, e);
        }
    }

    private Shown packet(Messages messages) throws InvalidProtocolBufferException {
        List<String> lines = new ArrayList<>();
        Set<String> types = new HashSet<>();
        lines.add(paint.dim(
                "  packet of batch %d with %d entries".formatted(messages.getBatchId(), messages.getMessagesCount())));
        for (ByteString bytes : messages.getMessagesList()) {
            Entry entry = Entry.parseFrom(bytes);
            Header header = entry.getHeader();
            String type = header.hasEventType()
                    ? header.getEventType().name()
                    : entry.getEntryType().name();
            types.add(type);
            String table = header.getSchemaName().isEmpty() ? "" : header.getSchemaName() + "." + header.getTableName();
            lines.add("  %s %s  %s"
                    .formatted(
                            paint.type(type, "%-16s".formatted(type)),
                            paint.bold(table),
                            paint.dim("%s:%d, %d bytes"
                                    .formatted(header.getLogfileName(), header.getLogfileOffset(), bytes.size()))));
            if (entry.getEntryType() == EntryType.ROWDATA) {
                for (RowData row : RowChange.parseFrom(entry.getStoreValue()).getRowDatasList()) {
                    lines.add("    " + columns(row));
                }
            }
        }
        return new Shown(lines, types);
    }

    private String columns(RowData row) {
        List<Column> columns = row.getAfterColumnsCount() > 0 ? row.getAfterColumnsList() : row.getBeforeColumnsList();
        return columns.stream()
                .map(column -> paint.dim(column.getName() + "=")
                        + (column.getIsNull() ? "NULL" : shortened(column.getValue(), MAX_VALUE_LENGTH)))
                .collect(Collectors.joining("  "));
    }

    private List<String> lines(JsonNode json) {
        String type = json.path("type").asText();
        String table = json.path("database").asText() + "." + json.path("table").asText();
        String head = "  " + paint.type(type, "%-7s".formatted(type)) + " " + paint.bold(table) + "  ";
        List<String> lines = new ArrayList<>();
        if (json.path("isDdl").asBoolean() || !json.path("data").isArray()) {
            lines.add(head + paint.dim(shortened(json.path("sql").asText().replaceAll("\\s+", " "), 100)));
        }
        for (int i = 0; i < json.path("data").size(); i++) {
            lines.add(head + row(json.path("data").get(i), json.path("old").path(i)));
        }
        return lines;
    }

    private String row(JsonNode after, JsonNode before) {
        List<String> columns = new ArrayList<>();
        for (Map.Entry<String, JsonNode> column : after.properties()) {
            String text = paint.dim(column.getKey() + "=") + value(column.getValue());
            JsonNode old = before.get(column.getKey());
            columns.add(old == null ? text : text + paint.dim(" (was " + value(old) + ")"));
        }
        return String.join("  ", columns);
    }

    private static String value(JsonNode value) {
        return value.isNull() ? "NULL" : shortened(value.asText(), MAX_VALUE_LENGTH);
    }

    private static String shortened(String text, int length) {
        return text.length() <= length ? text : text.substring(0, length - 1) + "…";
    }
}
