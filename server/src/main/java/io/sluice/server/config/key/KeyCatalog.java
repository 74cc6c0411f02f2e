package io.sluice.server.config.key;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Describes all keys of a configuration, for programs that edit one. Keys of connectors that have no definition here are described by
 * their prefix alone. It holds definitions only, never the values of a configuration; its methods can be called by any thread.
 */
public final class KeyCatalog {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Instances are made of these, and so are parts of the server that stay: both must be of one configuration. */
    private static final Set<String> BLOCKING = Set.of(
            "canal.serverMode",
            "canal.conf.dir",
            "canal.auto.scan",
            "canal.mq.flatMessage",
            "canal.mq.format",
            "canal.mq.database.hash",
            "canal.zkServers");

    private KeyCatalog() {}

    /** Returns the keys of the server of which a new value keeps all of a configuration from being taken over until the server is restarted. */
    public static Set<String> blockingKeys() {
        return BLOCKING;
    }

    /** Returns all keys, group by group, in the order of their documentation. */
    public static List<KeyDescription> keys() {
        return Keys.groups().stream()
                .flatMap(group ->
                        group.keys().stream().map(key -> KeyDescription.of(group, key, BLOCKING.contains(key.name()))))
                .toList();
    }

    /** Returns what the keys of connectors begin with, such as {@code kafka.}. */
    public static List<String> connectorPrefixes() {
        return ProducerKeys.prefixes();
    }

    /**
     * Returns the same as JSON: an object with the array {@code keys}, whose elements have the fields of {@link KeyDescription}, and
     * the array {@code connectorPrefixes}. {@code kind} is called {@code type}, {@code standard} {@code default} and {@code
     * standardText} {@code defaultText}. Constants are in lower case. Texts that are blank and lists that are empty are left out, but
     * for {@code default}; {@code blocking} is there only if it is true.
     */
    public static String json() {
        ObjectNode all = JSON.createObjectNode();
        keys().forEach(key -> describe(all.withArray("keys").addObject(), key));
        connectorPrefixes().forEach(all.putArray("connectorPrefixes")::add);
        return all.toString();
    }

    private static void describe(ObjectNode node, KeyDescription key) {
        node.put("name", key.name())
                .put("scope", lower(key.scope()))
                .put("group", key.group())
                .put("type", lower(key.kind()))
                .put("allowed", key.allowed());
        if (!key.choices().isEmpty()) {
            key.choices().forEach(node.putArray("choices")::add);
        }
        putText(node, "unit", key.unit());
        node.put("default", key.standard());
        putText(node, "defaultText", key.standardText());
        putText(node, "description", key.description());
        node.put("change", lower(key.change()));
        if (key.blocking()) {
            node.put("blocking", true);
        }
        node.put("support", lower(key.support()));
        putText(node, "reason", key.reason());
        node.put("ours", key.ours()).put("secret", key.secret());
    }

    private static void putText(ObjectNode node, String field, String text) {
        if (!text.isEmpty()) {
            node.put(field, text);
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
