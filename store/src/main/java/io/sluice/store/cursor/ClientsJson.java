package io.sluice.store.cursor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.position.CursorFormatException;
import io.sluice.protocol.position.CursorJson;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All clients of one destination as a text, in the format of canal's {@code meta.dat}.
 *
 * <pre>
 * {"clientDatas":[{"clientIdentity":{"clientId":1001,"destination":"example","filter":""},"cursor":{…}}],
 *  "destination":"example"}
 * </pre>
 *
 * <p>What it holds under unknown keys is kept as it is. An item may have keys of Sluice, which canal ignores: {@code filterOrder}, and
 * {@code "unsubscribed":true} for a client that has left. For one thread at a time.
 */
public final class ClientsJson {
    private static final String FILTER_ORDER = "filterOrder";
    private static final String UNSUBSCRIBED = "unsubscribed";

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final ObjectNode root;
    private final ArrayNode clients;

    private ClientsJson(ObjectNode root, ArrayNode clients) {
        this.root = root;
        this.clients = clients;
    }

    /** The text of a destination that has no client yet. */
    public static ClientsJson empty(String destination) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        ArrayNode clients = root.putArray("clientDatas");
        root.put("destination", destination);
        return new ClientsJson(root, clients);
    }

    /**
     * Reads a text.
     *
     * @throws IllegalArgumentException if it is something else, saying what
     */
    public static ClientsJson parse(String text, String destination) {
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
            throw new ForeignCursorsException(
                    "its destination is " + (owner.isMissingNode() ? "missing" : owner) + ", not \"" + destination
                            + "\"",
                    new ClientsJson(object, clients).readableSubscriptions());
        }
        Set<Integer> ids = new HashSet<>();
        for (JsonNode client : clients) {
            requireClient(client);
            if (!ids.add(idOf(client))) { // one of them would be written, and the other one be read
                throw new IllegalArgumentException("its \"clientDatas\" has the client " + idOf(client) + " twice");
            }
        }
        return new ClientsJson(object, clients);
    }

    private static void requireClient(JsonNode client) {
        JsonNode id = client.path("clientIdentity").path("clientId");
        if (!client.isObject() || !id.isIntegralNumber() || !id.canConvertToInt()) {
            throw new IllegalArgumentException("an item of its \"clientDatas\" has no clientIdentity.clientId");
        }
    }

    /**
     * All clients of the text.
     *
     * @throws CursorFormatException if a cursor in it is not one
     */
    public List<Subscription> subscriptions() {
        List<Subscription> all = new ArrayList<>();
        for (JsonNode client : clients) {
            JsonNode identity = client.path("clientIdentity");
            all.add(new Subscription(
                    identity.path("clientId").intValue(),
                    identity.path("filter").asText(""),
                    client.hasNonNull("cursor") ? CursorJson.read(client.get("cursor")) : null,
                    client.path(FILTER_ORDER).asLong(0),
                    client.path(UNSUBSCRIBED).asBoolean(false)));
        }
        return all;
    }

    /** All clients of a text that is of no use otherwise; none if one of them is damaged. */
    private List<Subscription> readableSubscriptions() {
        try {
            clients.forEach(ClientsJson::requireClient);
            return subscriptions();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    /** Makes the text hold these clients, and no others. */
    public void setSubscriptions(List<Subscription> wanted) {
        Set<Integer> kept = new HashSet<>();
        for (Subscription subscription : wanted) {
            set(subscription);
            kept.add(subscription.clientId());
        }
        Iterator<JsonNode> all = clients.elements();
        while (all.hasNext()) {
            if (!kept.contains(idOf(all.next()))) {
                all.remove();
            }
        }
    }

    private void set(Subscription subscription) {
        ObjectNode client = client(subscription.clientId());
        if (client == null) {
            client = clients.addObject();
            client.putObject("clientIdentity")
                    .put("clientId", subscription.clientId())
                    .put("destination", root.path("destination").textValue())
                    .put("filter", subscription.filter());
        } else if (client.get("clientIdentity") instanceof ObjectNode identity
                && !identity.path("filter").asText("").equals(subscription.filter())) {
            identity.put("filter", subscription.filter());
        }
        Cursor cursor = subscription.cursor();
        if (cursor == null) {
            client.remove("cursor");
        } else {
            client.set("cursor", CursorJson.toNode(cursor));
        }
        if (subscription.filterOrder() == 0) {
            client.remove(FILTER_ORDER);
        } else {
            client.put(FILTER_ORDER, subscription.filterOrder());
        }
        if (subscription.unsubscribed()) {
            client.put(UNSUBSCRIBED, true);
        } else {
            client.remove(UNSUBSCRIBED);
        }
    }

    private @Nullable ObjectNode client(int clientId) {
        for (JsonNode client : clients) {
            if (idOf(client) == clientId) {
                return (ObjectNode) client;
            }
        }
        return null;
    }

    private static int idOf(JsonNode client) {
        return client.path("clientIdentity").path("clientId").intValue();
    }

    /** The text as it is written. */
    public String text() {
        return root.toString();
    }
}
