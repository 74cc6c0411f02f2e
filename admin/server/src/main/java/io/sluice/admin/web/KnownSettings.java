package io.sluice.admin.web;

import io.sluice.connector.api.producer.Spelling;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * The keys below {@code sluice.} that records of {@link ConfigurationProperties} are made of.
 *
 * <p>Keys are compared as Spring compares them: without regard to case, dashes and underscores.
 */
final class KnownSettings {
    private static final String ROOT = "sluice.";

    /** The spelling of the documentation, by the form that is compared. */
    private final Map<String, String> keys = new TreeMap<>();
    /** Keys whose value has keys of its own, or is a list. */
    private final Set<String> open = new TreeSet<>();
    /** The first two parts of each key. */
    private final Set<String> groups = new TreeSet<>();

    /**
     * Collects the keys.
     *
     * @param types records with {@link ConfigurationProperties}; others are ignored
     */
    KnownSettings(Collection<Class<?>> types) {
        for (Class<?> type : types) {
            ConfigurationProperties found = type.getAnnotation(ConfigurationProperties.class);
            if (found == null || !found.value().startsWith(ROOT) || !type.isRecord()) {
                continue;
            }
            groups.add(found.value());
            for (RecordComponent component : type.getRecordComponents()) {
                String key = found.value() + "." + DataObjectPropertyName.toDashedForm(component.getName());
                keys.put(compared(key), key);
                if (Collection.class.isAssignableFrom(component.getType())
                        || Map.class.isAssignableFrom(component.getType())) {
                    open.add(compared(key));
                }
            }
        }
    }

    /** Returns all keys, as the documentation spells them. */
    Collection<String> all() {
        return new TreeSet<>(keys.values());
    }

    /**
     * Whether a key of a file or an argument is one of these. The name of a group alone is what YAML makes of a group whose lines are all
     * commented out.
     */
    boolean isKnown(String key) {
        String compared = compared(key);
        return !key.startsWith(ROOT)
                || keys.containsKey(compared)
                || groups.contains(key)
                || open.stream()
                        .anyMatch(start -> compared.startsWith(start + ".") || compared.startsWith(start + "["));
    }

    /** Returns the key that was probably meant. */
    Optional<String> nearest(String key) {
        return Spelling.nearest(key, keys.values());
    }

    /**
     * Returns the key that an environment variable was probably meant to set, if it sets none. Other programs have variables that begin
     * like those of this server, such as those that Kubernetes sets for a service {@code sluice-admin}, so a variable counts as misspelt only if a key of
     * its group is spelt almost alike.
     */
    Optional<String> meantByVariable(String variable) {
        String name = compared(variable.replace("_", ""));
        List<String> near = new ArrayList<>();
        for (String group : groups) {
            String start = flat(group);
            if (!name.startsWith(start)) {
                continue;
            }
            for (String key : keys.values()) {
                if (key.startsWith(group + ".")) {
                    String rest = name.substring(start.length());
                    String meant = flat(key).substring(start.length());
                    if (rest.equals(meant) || open.contains(compared(key)) && rest.startsWith(meant)) {
                        return Optional.empty();
                    }
                    if (Spelling.distance(rest, meant) <= Math.max(1, meant.length() / 5)) {
                        near.add(key);
                    }
                }
            }
        }
        return near.stream().findFirst();
    }

    private static String compared(String key) {
        return key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    private static String flat(String key) {
        return compared(key).replace(".", "");
    }
}
