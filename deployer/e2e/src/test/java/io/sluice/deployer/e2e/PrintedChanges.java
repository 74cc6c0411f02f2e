package io.sluice.deployer.e2e;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** What an example prints: its last line, and how many there were. */
final class PrintedChanges extends OutputStream {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(this, false, StandardCharsets.UTF_8);
    private final long begin = System.nanoTime();
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

    /**
     * Whether the last line is of a row that came into this table, {@code schema.table}.
     *
     * @throws IllegalStateException if it is not, after a minute
     */
    boolean endWithInsertInto(String table) {
        out.flush();
        if (System.nanoTime() - begin > PATIENCE.toNanos()) {
            throw new IllegalStateException(lines + " lines, and none of " + table);
        }
        return line.toString(StandardCharsets.UTF_8).startsWith("INSERT " + table + " ");
    }
}
