package io.sluice.store.cursor.zookeeper;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.store.cursor.Subscription;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of the node beside canal's that has the order of the clients' filters, the oldest first.
 *
 * <pre>
 * [{"clientId":1002,"filter":"shop\\..*"},{"clientId":1001,"filter":"till\\..*"}]
 * </pre>
 *
 * <p>It has the filters, too: canal knows nothing of the node, and the order counts only for a filter that canal has not replaced since.
 */
final class FilterOrder {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private FilterOrder() {}

    /** The text for some clients. */
    static String text(List<Subscription> clients) {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        clients.stream()
                .filter(client -> client.filterOrder() > 0)
                .sorted(Subscription.NEWEST_FILTER_FIRST.reversed())
                .forEach(client ->
                        items.addObject().put("clientId", client.clientId()).put("filter", client.filter()));
        return items.toString();
    }

    /**
     * Gives the clients the order that a text has of them.
     *
     * @throws IllegalArgumentException if it is something else, saying what
     */
    static List<Subscription> apply(String text, List<Subscription> clients) {
        JsonNode items;
        try {
            items = MAPPER.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not JSON: " + e.getOriginalMessage(), e);
        }
        if (!items.isArray()) {
            throw new IllegalArgumentException("it is no JSON array");
        }
        List<Subscription> ordered = new ArrayList<>(clients);
        for (int i = 0; i < items.size(); i++) {
            int clientId = items.get(i).path("clientId").asInt(Integer.MIN_VALUE);
            String filter = items.get(i).path("filter").asText("");
            long order = i + 1L;
            ordered.replaceAll(
                    client -> client.clientId() == clientId && client.filter().equals(filter)
                            ? client.withFilter(filter, order)
                            : client);
        }
        return ordered;
    }
}
