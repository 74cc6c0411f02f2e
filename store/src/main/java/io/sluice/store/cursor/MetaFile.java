package io.sluice.store.cursor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.position.LogPosition;
import io.sluice.protocol.position.PositionFormatException;
import io.sluice.protocol.position.PositionJson;
import org.jspecify.annotations.Nullable;

/**
 * The text of a {@code meta.dat}: the cursors of all clients of one destination.
 *
 * <pre>
 * {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"example","filter":""},"cursor":{…}}],
 *  "destination":"example"}
 * </pre>
 *
 * <p>What it holds for other clients, and under keys that we do not know, is kept as it is. For one thread at a time.
 */
final class MetaFile {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final ObjectNode root;
    private final ArrayNode clients;

    private MetaFile(ObjectNode root, ArrayNode clients) {
        this.root = root;
        this.clients = clients;
    }

    /** The file of a destination that has no client yet. */
    static MetaFile empty(String destination) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode clients = root.putArray("clientDatas");
        root.put("destination", destination);
        return new MetaFile(root, clients);
    }

    /**
     * Reads a file's text.
     *
     * @throws PositionFormatException if a cursor in it is not one
     * @throws IllegalArgumentException if it is something else, saying what
     */
    static MetaFile parse(String text, String destination) {
        if (text.isBlank()) {
            throw new IllegalArgumentException("it is empty");
        }
        JsonNode root;
        try {
            root = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is torn or not JSON: " + e.getOriginalMessage(), e);
        }
        if (!(root instanceof ObjectNode object) || !(root.get("clientDatas") instanceof ArrayNode clients)) {
            throw new IllegalArgumentException("it has no list \"clientDatas\", so it is not a cursor file");
        }
        JsonNode owner = root.path("destination");
        if (!owner.isTextual() || !owner.textValue().equals(destination)) {
            throw new IllegalArgumentException("its destination is " + (owner.isMissingNode() ? "missing" : owner)
                    + ", not \"" + destination + "\"");
        }
        MetaFile file = new MetaFile(object, clients);
        for (JsonNode client : clients) {
            requireClient(client);
        }
        return file;
    }

    private static void requireClient(JsonNode client) {
        JsonNode id = client.path("clientIdentity").path("clientId");
        if (!client.isObject() || !id.isIntegralNumber()) {
            throw new IllegalArgumentException("an item of its \"clientDatas\" has no clientIdentity.clientId");
        }
    }

    /** The cursor of a client; null if the file has none for it. */
    @Nullable LogPosition cursor(int clientId) {
        ObjectNode client = client(clientId);
        if (client == null || !client.hasNonNull("cursor")) {
            return null;
        }
        return PositionJson.read(client.get("cursor"));
    }

    /** Whether a client other than {@code clientId} has a cursor. */
    boolean hasCursorOfOther(int clientId) {
        for (JsonNode client : clients) {
            if (client.path("clientIdentity").path("clientId").longValue() != clientId && client.hasNonNull("cursor")) {
                return true;
            }
        }
        return false;
    }

    void setCursor(int clientId, LogPosition cursor) {
        ObjectNode client = client(clientId);
        if (client == null) {
            client = clients.addObject();
            client.putObject("clientIdentity")
                    .put("clientId", clientId)
                    .put("destination", root.path("destination").textValue())
                    .put("filter", "");
        }
        client.set("cursor", PositionJson.toNode(cursor));
    }

    private @Nullable ObjectNode client(int clientId) {
        for (JsonNode client : clients) {
            if (client.path("clientIdentity").path("clientId").longValue() == clientId) {
                return (ObjectNode) client;
            }
        }
        return null;
    }

    String text() {
        return root.toString();
    }
}
