package io.sluice.protocol.position;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Positions as canal's cursor files and ZooKeeper nodes hold them.
 *
 * <pre>
 * {"identity":{"slaveId":-1,"sourceAddress":{"address":"localhost","port":3306}},
 *  "postion":{"gtid":"","included":false,"journalName":"binlog.000001","position":1234,
 *             "serverId":1,"timestamp":1700000000000}}
 * </pre>
 *
 * <p>Written on one line, with the keys in alphabetical order and {@code postion} spelled so, because canal does. Read in any
 * order and with unknown keys; a host name is taken as it stands and never looked up. Safe for use by several threads.
 */
public final class PositionJson {
    /** What canal wants to see first in a ZooKeeper node, or it cannot read the rest. */
    private static final String LOG_POSITION_TYPE = "com.alibaba.otter.canal.protocol.position.LogPosition";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private PositionJson() {}

    /** The JSON of {@code position}, as files hold it. */
    public static String write(LogPosition position) {
        return toNode(position).toString();
    }

    /** The JSON of {@code position} with canal's type name as its first key, as ZooKeeper nodes hold it. */
    public static String writeTyped(LogPosition position) {
        ObjectNode typed = JsonNodeFactory.instance.objectNode();
        typed.put("@type", LOG_POSITION_TYPE);
        typed.setAll(toNode(position));
        return typed.toString();
    }

    /** The JSON object of {@code position}, to be put into a larger one. */
    public static ObjectNode toNode(LogPosition position) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        ObjectNode identity = node.putObject("identity");
        identity.put("slaveId", -1);
        ObjectNode source = identity.putObject("sourceAddress");
        if (!position.sourceHost().isEmpty()) {
            source.put("address", position.sourceHost());
        }
        source.put("port", position.sourcePort());
        EntryPosition entry = position.position();
        node.putObject("postion")
                .put("gtid", entry.gtid())
                .put("included", false)
                .put("journalName", entry.journalName())
                .put("position", entry.position())
                .put("serverId", entry.serverId())
                .put("timestamp", entry.timestamp());
        return node;
    }

    /**
     * Reads what {@link #write} or {@link #writeTyped} or canal wrote.
     *
     * @throws PositionFormatException if {@code json} is no such text
     */
    public static LogPosition read(String json) {
        JsonNode node;
        try {
            node = MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new PositionFormatException("a position is not JSON: " + e.getOriginalMessage(), e);
        }
        return read(node);
    }

    /**
     * Reads a position that is part of a larger JSON text. canal leaves out what is null: an {@code address} that it could
     * not resolve is then empty, {@code gtid} too, {@code serverId} and {@code timestamp} are 0.
     *
     * @throws PositionFormatException if {@code node} is not the object of a position
     */
    public static LogPosition read(JsonNode node) {
        if (!node.isObject()) {
            throw new PositionFormatException("a position is not a JSON object but " + describe(node));
        }
        JsonNode source = objectAt(objectAt(node, "", "identity"), "identity.", "sourceAddress");
        JsonNode entry = objectAt(node, "", "postion");
        long port = longAt(source, "identity.sourceAddress.", "port");
        if (port < 1 || port > 65535) {
            throw new PositionFormatException("a position's identity.sourceAddress.port is not 1 to 65535: " + port);
        }
        String host = hasValue(source, "address") ? textAt(source, "identity.sourceAddress.", "address") : "";
        return new LogPosition(host, (int) port, readEntry(entry));
    }

    private static EntryPosition readEntry(JsonNode entry) {
        String where = "postion.";
        return new EntryPosition(
                textAt(entry, where, "journalName"),
                longAt(entry, where, "position"),
                hasValue(entry, "serverId") ? longAt(entry, where, "serverId") : 0,
                hasValue(entry, "timestamp") ? longAt(entry, where, "timestamp") : 0,
                hasValue(entry, "gtid") ? textAt(entry, where, "gtid") : "");
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

    private static long longAt(JsonNode object, String where, String key) {
        JsonNode value = object.path(key);
        if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
            throw wrong(where, key, "a whole number of 0 or more", value);
        }
        return value.longValue();
    }

    private static PositionFormatException wrong(String where, String key, String wanted, JsonNode found) {
        return new PositionFormatException(
                "a position's %s%s is not %s but %s".formatted(where, key, wanted, describe(found)));
    }

    private static String describe(JsonNode found) {
        if (found.isMissingNode()) {
            return "missing";
        }
        String text = found.toString();
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }
}
