package io.sluice.stream.source.server;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The SQL queries to a source besides the dump, such as table definitions. It connects when it is first needed, and again
 * after a failure. For one thread, but for {@link #abort}.
 */
public interface SourceQueries extends TableDefinitions, AutoCloseable {
    /** Asks another host from now on. */
    void moveTo(SourceHost host);

    /**
     * The definitions of many tables, in few round trips. A table that was dropped meanwhile is omitted; so is, with a warning,
     * one that the server cannot or may not show.
     */
    Map<TableName, String> createStatements(List<TableName> tables) throws IOException;

    /** All base tables that pass a filter, without those of the server itself. */
    List<TableName> tables(TableFilter filter) throws IOException;

    /** The default character sets of all schemas that the account may see, by their names. */
    Map<String, String> schemaCharsets() throws IOException;

    /** Where its binlog ends now. */
    BinlogPosition binlogEnd() throws IOException;

    /** The columns that the server has in its row images and shows nowhere. */
    HiddenColumns hiddenColumns() throws IOException;

    /** The properties of the server on which the syntax of its statements depends. */
    SourceTraits traits() throws IOException;

    /** A global variable; null if the server has none of that name. */
    @Nullable String variable(String name) throws IOException;

    /**
     * The tables that pass a filter, and whose rows foreign keys change without a trace in the binlog, as far as the account sees them.
     *
     * @throws IOException also if the server does not answer within seconds
     */
    default UnloggedCascades.Found unloggedCascades(TableFilter filter) throws IOException {
        return UnloggedCascades.Found.NONE;
    }

    /** The account by which the server has accepted the login, quoted as in GRANT; null if the server does not return it. */
    default @Nullable String account() throws IOException {
        return null;
    }

    /** The table whose definition the server did not show last, for lack of a privilege; null if there is none. */
    default @Nullable TableName denied() {
        return null;
    }

    /** Ends whatever it waits for, from any thread. What it is asked after that fails, until it is closed. */
    void abort();

    /** Frees the connection. It may be asked again after that. */
    @Override
    void close();
}
