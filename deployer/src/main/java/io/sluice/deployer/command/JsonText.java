package io.sluice.deployer.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.Map;

/** Writes JSON with two blanks a level, and a line for each field and element. */
final class JsonText {
    private static final ObjectWriter WRITER = new JsonMapper().writer(layout());

    private JsonText() {}

    /** An object whose values are texts, numbers, booleans, lists and maps. */
    static String of(Map<String, ?> object) {
        try {
            return WRITER.writeValueAsString(object);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static DefaultPrettyPrinter layout() {
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator(""));
        printer.indentArraysWith(indenter);
        printer.indentObjectsWith(indenter);
        return printer;
    }
}
