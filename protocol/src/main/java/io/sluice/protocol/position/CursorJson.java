package io.sluice.protocol.position;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Cursors as canal's cursor files and ZooKeeper nodes hold them.
 *
 * <pre>
 * {"identity":{"slaveId":-1,"sourceAddress":{"address":"localhost","port":3306}},
 *  "postion":{"gtid":"","included":false,"journalName":"binlog.000001","position":1234,
 *             "serverId":1,"timestamp":1700000000000},
 *  "schema":{"history":"6f0e…","row":17,"file":"binlog.000001","offset":1234},
 *  "server":"3e11…",
 *  "begun":{"file":"binlog.000001","offset":1234,"seconds":1700000000}}
 * </pre>
 *
 * <p>{@code schema}, {@code server} and {@code begun} are Sluice's and optional; canal ignores them. {@code begun} states when the file was begun,
 * and of which position: if that is another one than in {@code postion}, the cursor was moved by another program or by hand, and it does not count.
 *
 * <p>Written on one line, with the keys in alphabetical order and {@code postion} spelled so, because canal does. Read in any
 * order and with unknown keys; a host name is taken as it is and never looked up. Thread-safe.
 */
public final class CursorJson {
    /** What must come first in a ZooKeeper node, or canal cannot read the other keys. */
    private static final String LOG_POSITION_TYPE = "com.alibaba.otter.canal.protocol.position.LogPosition";

    /** canal computes offsets from 32 bits. */
    private static final long WRAPPED_OFFSETS = 1L << 32;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private CursorJson() {}

    /** The JSON of {@code cursor}, as files hold it. */
    public static String write(Cursor cursor) {
        return toNode(cursor).toString();
    }

    /** The JSON object of {@code cursor} with canal's type name as its first key, as ZooKeeper nodes hold it; keys may be added to it. */
    public static ObjectNode toTypedNode(Cursor cursor) {
        ObjectNode typed = JsonNodeFactory.instance.objectNode();
        typed.put("@type", LOG_POSITION_TYPE);
        typed.setAll(toNode(cursor));
        return typed;
    }

    /** The JSON object of {@code cursor}, to be put into a larger one. */
    public static ObjectNode toNode(Cursor cursor) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ObjectNode identity = node.putObject("identity");
        identity.put("slaveId", -1);
        ObjectNode source = identity.putObject("sourceAddress");
        if (!cursor.sourceHost().isEmpty()) {
            source.put("address", cursor.sourceHost());
        }
        source.put("port", cursor.sourcePort());
        node.putObject("postion")
                .put("gtid", cursor.gtidSet())
                .put("included", false)
                .put("journalName", cursor.position().file())
                .put("position", cursor.position().offset())
                .put("serverId", cursor.serverId())
                .put("timestamp", cursor.timestampMillis());
        SchemaReference schema = cursor.schema();
        if (schema != null) {
            node.putObject("schema")
                    .put("history", schema.historyId())
                    .put("row", schema.rowId())
                    .put("file", schema.completeTo().file())
                    .put("offset", schema.completeTo().offset());
        }
        if (!cursor.source().identity().isEmpty()) {
            node.put("server", cursor.source().identity());
        }
        if (cursor.fileBegunSeconds() != 0) {
            node.putObject("begun")
                    .put("file", cursor.position().file())
                    .put("offset", cursor.position().offset())
                    .put("seconds", cursor.fileBegunSeconds());
        }
        return node;
    }

    /**
     * Reads what {@link #write}, {@link #toTypedNode} or canal wrote.
     *
     * @throws CursorFormatException if {@code json} is no such text
     */
    public static Cursor read(String json) {
        return read(parse(json));
    }

    /**
     * Parses the text of a cursor, which {@link #read(JsonNode)} reads; it may have other keys, too.
     *
     * @throws CursorFormatException if {@code json} is not JSON
     */
    public static JsonNode parse(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new CursorFormatException("a cursor is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Reads a cursor that is part of a larger JSON text. canal leaves out what is null: an {@code address} that it could
     * not resolve is then empty, {@code gtid} too, {@code serverId} and {@code timestamp} are 0.
     *
     * @throws CursorFormatException if {@code node} is not the object of a cursor
     */
    public static Cursor read(JsonNode node) {
        if (!node.isObject()) {
            throw new CursorFormatException("a cursor is not a JSON object but " + describe(node));
        }
        JsonNode source = objectAt(objectAt(node, "", "identity"), "identity.", "sourceAddress");
        JsonNode entry = objectAt(node, "", "postion");
        long port = longAt(source, "identity.sourceAddress.", "port");
        if (port < 1 || port > 65535) {
            throw new CursorFormatException("a cursor's identity.sourceAddress.port is not 1 to 65535: " + port);
        }
        String host = hasValue(source, "address") ? textAt(source, "identity.sourceAddress.", "address") : "";
        String where = "postion.";
        BinlogPosition position =
                new BinlogPosition(textAt(entry, where, "journalName"), offsetAt(entry, where, "position"));
        return new Cursor(
                new SourceServer(host, (int) port, hasValue(node, "server") ? textAt(node, "", "server") : ""),
                position,
                hasValue(entry, "gtid") ? textAt(entry, where, "gtid") : "",
                hasValue(entry, "serverId") ? longAt(entry, where, "serverId") : 0,
                hasValue(entry, "timestamp") ? longAt(entry, where, "timestamp") : 0,
                hasValue(node, "schema") ? readSchema(objectAt(node, "", "schema")) : null,
                hasValue(node, "begun") ? readBegun(objectAt(node, "", "begun"), position) : 0);
    }

    private static long readBegun(JsonNode begun, BinlogPosition position) {
        String where = "begun.";
        BinlogPosition of = new BinlogPosition(textAt(begun, where, "file"), longAt(begun, where, "offset"));
        long seconds = longAt(begun, where, "seconds");
        return of.equals(position) ? seconds : 0;
    }

    private static SchemaReference readSchema(JsonNode schema) {
        String where = "schema.";
        return new SchemaReference(
                textAt(schema, where, "history"),
                longAt(schema, where, "row"),
                new BinlogPosition(textAt(schema, where, "file"), longAt(schema, where, "offset")));
    }

    private static boolean hasValue(JsonNode object, String key) {
        return object.hasNonNull(key);
    }

    private static JsonNode objectAt(JsonNode object, String where, String key) {
        JsonNode value = object.path(key);
        if (!value.isObject()) {
            throw wrong(where, key, "an object", value);
        }
        return value;
    }

    private static String textAt(JsonNode object, String where, String key) {
        JsonNode value = object.path(key);
        if (!value.isTextual()) {
            throw wrong(where, key, "a string", value);
        }
        return value.textValue();
    }

    private static long offsetAt(JsonNode object, String where, String key) {
        JsonNode value = object.path(key);
        if (value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() < 0
                && value.longValue() >= -WRAPPED_OFFSETS) {
            throw CursorFormatException.withRemedy(
                    "a cursor's %s%s is %s, since canal's offsets wrap beyond 4 GiB in a file: write %d in its place, which is probably meant"
                            .formatted(where, key, value, value.longValue() + WRAPPED_OFFSETS));
        }
        return longAt(object, where, key);
    }

    private static long longAt(JsonNode object, String where, String key) {
        JsonNode value = object.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw wrong(where, key, "a whole number of 0 or more", value);
        }
        return value.longValue();
    }

    private static CursorFormatException wrong(String where, String key, String wanted, JsonNode found) {
        return new CursorFormatException(
                "a cursor's %s%s is not %s but %s".formatted(where, key, wanted, describe(found)));
    }

    private static String describe(JsonNode found) {
        if (found.isMissingNode()) {
            return "missing";
        }
        String text = found.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
