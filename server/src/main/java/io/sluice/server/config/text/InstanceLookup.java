package io.sluice.server.config.text;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The lookup for one instance: system property and environment if not blank, then its own file, then
 * {@code canal.properties}. A key that its file leaves blank hides the server's value.
 *
 * <p>{@code ${key:fallback}} inside a value is looked up in the same way, also inside what it stands for; one that
 * leads nowhere is empty. Only in rules for topics <code>${schema}</code> and <code>${table}</code> that lead nowhere stay as they
 * are: there they stand for the names of each table.
 */
public final class InstanceLookup implements Lookup {
    private static final String RULES_FOR_TOPICS = "canal.mq.dynamicTopic";
    private static final Set<String> NAMES_OF_TABLES = Set.of("schema", "table");

    private final Environment environment;
    private final PropertiesFile serverFile;
    private final PropertiesFile instanceFile;
    private final String destination;
    private final Set<Problem> problems;

    /**
     * Makes it for one instance.
     *
     * @param problems gets placeholders that lead back to themselves
     */
    public InstanceLookup(
            Environment environment,
            PropertiesFile serverFile,
            PropertiesFile instanceFile,
            String destination,
            Set<Problem> problems) {
        this.environment = environment;
        this.serverFile = serverFile;
        this.instanceFile = instanceFile;
        this.destination = destination;
        this.problems = problems;
    }

    @Override
    public @Nullable Setting find(String key) {
        Setting raw = findRaw(key);
        if (raw == null || raw.raw().indexOf("${") < 0) {
            return raw;
        }
        Set<String> open = new LinkedHashSet<>();
        open.add(key);
        try {
            return new Setting(raw.origin(), raw.raw(), fill(raw.raw(), open).strip());
        } catch (CircleException e) {
            problems.add(new Problem(raw.origin(), key, raw.raw(), e.getMessage()));
            return new Setting(raw.origin(), raw.raw(), "");
        }
    }

    private @Nullable Setting findRaw(String key) {
        if (key.equals("canal.instance.destination")) {
            return new Setting(new Origin.BuiltIn(), destination, destination);
        }
        String property = environment.systemProperties().get(key);
        if (property != null && !property.isBlank()) {
            return new Setting(new Origin.SystemProperty(), property.strip(), property.strip());
        }
        String variable = environment.variables().get(key);
        if (variable != null && !variable.isBlank()) {
            return new Setting(new Origin.EnvironmentVariable(), variable.strip(), variable.strip());
        }
        Setting own = instanceFile.find(key);
        return own != null ? own : serverFile.find(key);
    }

    private String fill(String text, Set<String> open) {
        StringBuilder filled = new StringBuilder();
        int at = 0;
        while (true) {
            int start = text.indexOf("${", at);
            int end = start < 0 ? -1 : closingBrace(text, start + 2);
            if (end < 0) {
                return filled.append(text, at, text.length()).toString();
            }
            filled.append(text, at, start).append(valueOf(fill(text.substring(start + 2, end), open), open));
            at = end + 1;
        }
    }

    /** What a placeholder's inside, {@code key} or {@code key:fallback}, stands for. */
    private String valueOf(String inside, Set<String> open) {
        int colon = inside.indexOf(':');
        String key = (colon < 0 ? inside : inside.substring(0, colon)).strip();
        String fallback = colon < 0 ? "" : inside.substring(colon + 1);
        Setting setting = findRaw(key);
        if (setting == null || setting.raw().isEmpty()) {
            boolean template = colon < 0 && NAMES_OF_TABLES.contains(key) && open.contains(RULES_FOR_TOPICS);
            return template ? "${" + key + "}" : fallback;
        }
        if (!open.add(key)) {
            throw new CircleException("its placeholders lead back to ${" + key + "}");
        }
        String value = fill(setting.raw(), open);
        open.remove(key);
        return value;
    }

    private static int closingBrace(String text, int from) {
        int depth = 1;
        for (int i = from; i < text.length(); i++) {
            if (text.startsWith("${", i)) {
                depth++;
                i++;
            } else if (text.charAt(i) == '}' && --depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static final class CircleException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        CircleException(String message) {
            super(message);
        }

        @Override
        public String getMessage() {
            return String.valueOf(super.getMessage());
        }
    }
}
