package io.sluice.server.config.key;

import io.sluice.server.config.text.Key;
import io.sluice.server.config.text.ValueKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Renders the definitions of keys as tables in Markdown, and puts them into a page between its markers. */
final class KeyTables {
    private static final Pattern MARKED =
            Pattern.compile("(<!-- generated: ([^>]*) -->\n).*?(\n<!-- end of generated -->)", Pattern.DOTALL);

    private final Map<String, String> tables = new LinkedHashMap<>();
    private final Properties shipped;

    /**
     * Renders them.
     *
     * @param shipped the values in the files of the package
     */
    KeyTables(List<KeyGroup> groups, Properties shipped) {
        this.shipped = shipped;
        for (KeyGroup group : groups) {
            List<Key<?>> working = group.keys().stream()
                    .filter(key -> key.support() == Key.Support.NOW)
                    .toList();
            tables.put(group.heading(), working.isEmpty() ? idle(group.keys()) : working(working));
        }
    }

    /**
     * Puts each table between the markers that name it.
     *
     * @throws IllegalArgumentException if a table has no markers, or they name no table
     */
    String putInto(String page) {
        Map<String, String> left = new LinkedHashMap<>(tables);
        Matcher marked = MARKED.matcher(page);
        String result = marked.replaceAll(found -> {
            String table = left.remove(found.group(2));
            if (table == null) {
                throw new IllegalArgumentException("no keys, or twice the same, at the marker " + found.group(2));
            }
            return Matcher.quoteReplacement(found.group(1) + table + found.group(3));
        });
        if (!left.isEmpty()) {
            throw new IllegalArgumentException("the page has no markers for " + left.keySet());
        }
        return result;
    }

    private String working(List<Key<?>> keys) {
        return keys.stream()
                .map(key -> row(
                        "`" + key.name() + "`",
                        typeOf(key),
                        defaultOf(key),
                        key.text().meaning() + (key.text().ours() ? " Ours." : ""),
                        key.change().name().toLowerCase(Locale.ROOT)))
                .collect(Collectors.joining(
                        "", "| key | value | default | meaning | change |\n|---|---|---|---|---|\n", ""));
    }

    /** The keys that do not work: first those that are rejected. Keys with one reason share a row. */
    private static String idle(List<Key<?>> keys) {
        StringBuilder table = new StringBuilder("| keys | what happens | why |\n|---|---|---|\n");
        for (Key.Support support : List.of(Key.Support.REFUSED, Key.Support.LATER, Key.Support.INERT)) {
            Map<String, List<String>> names = new LinkedHashMap<>();
            for (Key<?> key : keys) {
                if (key.support() == support) {
                    names.computeIfAbsent(key.reason(), any -> new ArrayList<>())
                            .add(code(key.name()));
                }
            }
            names.forEach(
                    (reason, those) -> table.append(row(String.join(", ", those), outcome(support), sentence(reason))));
        }
        return table.toString();
    }

    private static String outcome(Key.Support support) {
        return switch (support) {
            case REFUSED -> "rejected";
            case LATER -> "no effect, a warning";
            case INERT -> "no effect";
            case NOW -> throw new IllegalArgumentException("it works");
        };
    }

    /** Reasons of problems follow a key, and begin in lower case. */
    private static String sentence(String reason) {
        String capital = reason.substring(0, 1).toUpperCase(Locale.ROOT) + reason.substring(1);
        return capital.endsWith(".") ? capital : capital + ".";
    }

    private static String typeOf(Key<?> key) {
        return key.type().kind() == ValueKind.CHOICE
                ? code(String.join("`, `", key.type().choices()))
                : key.type().allowed().replaceFirst("^an? ", "");
    }

    private String defaultOf(Key<?> key) {
        String standard = key.text().standard();
        if (standard.isEmpty()) {
            standard = key.standard().isEmpty() ? "–" : code(key.standard());
        }
        String value = shipped.getProperty(key.name(), "");
        return value.isEmpty() || value.equals(key.standard()) || standard.equals(code(value))
                ? standard
                : "%s (shipped: %s)".formatted(standard, code(value));
    }

    private static String code(String text) {
        return "`" + text + "`";
    }

    private static String row(String... cells) {
        return List.of(cells).stream()
                .map(cell -> cell.replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
