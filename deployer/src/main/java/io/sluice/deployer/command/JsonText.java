package io.sluice.deployer.command;

import java.util.Collection;
import java.util.Map;

/** Writes maps, collections, texts, numbers and truths as JSON, two blanks a level. */
final class JsonText {
    private final StringBuilder out = new StringBuilder();

    private JsonText() {}

    static String of(Object value) {
        JsonText text = new JsonText();
        text.value(value, "\n");
        return text.out.toString();
    }

    private void value(Object value, String line) {
        if (value instanceof Map<?, ?> map) {
            out.append('{');
            String separator = "";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                out.append(separator).append(line).append("  ");
                string(String.valueOf(entry.getKey()));
                out.append(": ");
                value(entry.getValue(), line + "  ");
                separator = ",";
            }
            out.append(map.isEmpty() ? "}" : line + "}");
        } else if (value instanceof Collection<?> list) {
            out.append('[');
            String separator = "";
            for (Object element : list) {
                out.append(separator).append(line).append("  ");
                value(element, line + "  ");
                separator = ",";
            }
            out.append(list.isEmpty() ? "]" : line + "]");
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            string(String.valueOf(value));
        }
    }

    private void string(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c == '\n') {
                out.append("\\n");
            } else if (c < ' ') {
                out.append("\\u%04x".formatted((int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
