package io.sluice.deployer.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
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

    /** Prints an object, and the end of a line. What is in an {@link Iterable} is made while it is printed. */
    static void print(PrintStream out, Map<String, ?> object) {
        try {
            WRITER.writeValue(new PrintedText(out), object);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a PrintStream throws none
        }
        out.println();
    }

    /** Prints in the character set of the stream, and leaves that open. */
    private static final class PrintedText extends Writer {
        private final PrintStream out;

        PrintedText(PrintStream out) {
            this.out = out;
        }

        @Override
        public void write(char[] text, int offset, int length) {
            out.print(String.valueOf(text, offset, length));
        }

        @Override
        public void flush() {
            out.flush();
        }

        @Override
        public void close() {}
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
