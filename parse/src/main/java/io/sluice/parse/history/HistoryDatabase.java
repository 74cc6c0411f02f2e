package io.sluice.parse.history;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database that takes SQL as MySQL and H2 both understand it. For one thread, but for {@link #abort}. */
interface HistoryDatabase extends AutoCloseable {
    /**
     * Asks for rows, whose values are given as texts.
     *
     * @param sql with a question mark for each value
     * @param values texts or numbers
     * @throws IOException if the database is away; trying again may help
     * @throws HistoryException if it cannot be used
     */
    List<@Nullable String[]> query(String sql, Object... values) throws IOException;

    /**
     * Changes rows. What was changed outlives a crash of this process once this returns.
     *
     * @throws IOException as {@link #query}
     */
    void update(String sql, Object... values) throws IOException;

    /** How it writes a number that counts up in a new table. */
    String counterType();

    /** What stands behind a new table, so that it holds any text. */
    String tableOptions();

    /** Where it is, for messages. */
    String place();

    /** Ends whatever it waits for, from any thread. */
    void abort();

    @Override
    void close();
}
