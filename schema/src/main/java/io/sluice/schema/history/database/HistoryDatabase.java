package io.sluice.schema.history.database;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A database for a schema history, with SQL that both MySQL and SQLite understand. For one thread, but for {@link #abort}. */
public interface HistoryDatabase extends AutoCloseable {
    /** A list of statements that take effect together or not at all. */
    interface Changes {
        void run() throws IOException;
    }

    /**
     * Reads rows, whose values are returned as texts.
     *
     * @param sql with a question mark for each value
     * @param values texts or numbers
     * @throws IOException if the database cannot be reached; a retry may help
     * @throws HistoryException if the database cannot be used
     */
    List<@Nullable String[]> query(String sql, Object... values) throws IOException;

    /**
     * Changes rows. Outside of {@link #atomically} the change is a transaction of its own: it is durable once this method returns.
     *
     * @throws IOException as {@link #query}
     */
    void update(String sql, Object... values) throws IOException;

    /**
     * Runs statements in one transaction, which is durable once this method returns. If it throws, or the process ends before it
     * returns, either all of the statements have taken effect or none.
     *
     * @throws IOException as {@link #query}
     */
    void atomically(Changes changes) throws IOException;

    /**
     * Creates an index unless there is one of that name. The index makes reading faster and is not needed for correct results, so an
     * account that may not create it gets a warning in the log.
     *
     * @throws IOException as {@link #query}
     */
    void createIndex(String name, String table, String columns) throws IOException;

    /** Whether a table has a column of a name. */
    boolean hasColumn(String table, String column) throws IOException;

    /**
     * Adds a column to a table unless it has one of that name. An account that may not do so gets a warning in the log: what is written must not need the
     * column.
     *
     * @throws IOException as {@link #query}
     */
    void addColumn(String table, String column, String type) throws IOException;

    /**
     * Gives tables that canal has made the form that new ones have, so that any text fits. An account that may not do so gets a
     * warning in the log.
     *
     * @throws IOException as {@link #query}
     */
    void adaptTables() throws IOException;

    /** The type of the id of a new table. */
    String idType();

    /** The clause after the columns of a new table with which it takes any text. */
    String tableOptions();

    /** The beginning of an {@code INSERT} that does nothing if there is such a row. */
    String insertUnlessThere();

    /** The clause after a query in a transaction that locks its rows against other writers. */
    String forUpdate();

    /** Whether something else has removed or replaced what was opened: what was written is not there at the next start, and all is to be written again. */
    default boolean isGone() {
        return false;
    }

    /** How often it was connected to: while that stays the same, one server answers. */
    default long connections() {
        return 0;
    }

    /** Where it is, for messages. */
    String location();

    /** Ends whatever it waits for, from any thread. */
    void abort();

    @Override
    void close();
}
