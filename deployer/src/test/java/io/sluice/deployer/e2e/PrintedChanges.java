package io.sluice.deployer.e2e;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What an example prints: its last line, and how many there were. */
final class PrintedChanges extends OutputStream {
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(this, false, StandardCharsets.UTF_8);
    private boolean isEnded;
    private int lines;

    @Override
    public void write(int character) {
        if (isEnded) {
            line.reset();
        }
        line.write(character);
        isEnded = character == '\n';
        lines += isEnded ? 1 : 0;
    }

    /** Where the example prints to. */
    PrintStream out() {
        return out;
    }

    int lines() {
        return lines;
    }

    /** Whether the last line is of a row that came into this table, {@code schema.table}. */
    boolean endWithInsertInto(String table) {
        out.flush();
        return line.toString(StandardCharsets.UTF_8).startsWith("INSERT " + table + " ");
    }
}
