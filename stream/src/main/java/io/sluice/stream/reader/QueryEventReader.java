package io.sluice.stream.reader;

import io.sluice.format.entry.BinlogEntry;
import io.sluice.format.entry.StatementEntry;
import io.sluice.format.entry.TransactionBoundary;
import io.sluice.format.entry.XaText;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.MariaDbCompression;
import io.sluice.mysql.binlog.QueryEvent;
import io.sluice.mysql.transaction.TransactionCommand;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.time.RepeatedWarning;
import io.sluice.protocol.time.Time;
import io.sluice.schema.canal.StatementChange;
import io.sluice.stream.event.Event;
import io.sluice.stream.mapping.TableMappings;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes entries of the events that contain SQL: transaction boundaries, XA, DDL, and other statements. */
final class QueryEventReader {
    private static final Logger LOG = LoggerFactory.getLogger(QueryEventReader.class);

    private final StreamOptions options;
    private final TableMappings tables;
    private final StatementReader statements;
    private final StreamProgress progress;
    private final MariaDbCompression packed = new MariaDbCompression();
    private final RepeatedWarning statementFormat;
    private final RepeatedWarning loadedData;
    private int transactionCollation;

    QueryEventReader(
            StreamOptions options,
            TableMappings tables,
            StatementReader statements,
            StreamProgress progress,
            Time time) {
        this.statementFormat = new RepeatedWarning(time);
        this.loadedData = new RepeatedWarning(time);
        this.options = options;
        this.tables = tables;
        this.statements = statements;
        this.progress = progress;
    }

    /**
     * Decodes an event that holds a statement, plain or compressed.
     *
     * @throws io.sluice.stream.failure.StreamException if it is compressed, and too large without compression
     */
    QueryEvent decode(Event event) {
        QueryEvent query = QueryEvent.decode(event.body());
        return event.code() == EventCode.MARIADB_QUERY_COMPRESSED ? unpacked(event, query) : query;
    }

    /**
     * Makes the entry of an event that holds other text than a statement that was executed.
     *
     * @return null if none leaves for it, or it was handed on before the connection broke
     */
    @Nullable BinlogEntry read(Event event) {
        return switch (event.code()) {
            case EventCode.ROWS_QUERY, EventCode.MARIADB_ANNOTATE_ROWS -> rowsQuery(event);
            case EventCode.BEGIN_LOAD_QUERY -> loadedData(event);
            default -> variable(event);
        };
    }

    /** Forgets the session of the transaction that has ended otherwise than by a statement. */
    void onTransactionEnd() {
        statements.onTransactionEnd();
    }

    /** Forgets what ends with a server that was started again. */
    void onServerStart() {
        statements.onServerStart();
    }

    /** Whether the statements that changed rows make no entries. */
    boolean dropsRowStatements() {
        return options.omits(Omitted.DML_STATEMENTS);
    }

    private QueryEvent unpacked(Event event, QueryEvent query) {
        long bytes = MariaDbCompression.unpackedLength(query.sql(), event.length());
        long largest = options.large().largestText();
        if (bytes > largest) {
            throw RowsReader.tooLarge(event.position(), bytes, largest);
        }
        ByteWriter sql = new ByteWriter(Math.max(1, (int) bytes));
        packed.unpack(query.sql(), sql);
        return query.withSql(new EventBody(sql.array(), 0, sql.size()));
    }

    private boolean isAhead(Event event) {
        return progress.isAhead(event);
    }

    /**
     * Applies a statement to the table schemas, and makes its entry.
     *
     * @return null if none leaves for it, or it was handed on before the connection broke
     * @throws IOException if the source had to be asked for a table schema, or the history be written, and could not
     */
    @Nullable BinlogEntry read(Event event, QueryEvent query, TransactionCommand command) throws IOException {
        if (command == TransactionCommand.BEGIN || command == TransactionCommand.XA_START) {
            transactionCollation = query.clientCollation();
        }
        switch (command) {
            case BEGIN -> statements.onBegin(event, query);
            case SAVEPOINT, ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT -> {
                // within a transaction
            }
            case COMMIT, ROLLBACK, XA_START, XA_END, XA_COMMIT, XA_ROLLBACK, NONE -> statements.onTransactionEnd();
        }
        return switch (command) {
            case BEGIN -> isAhead(event) ? TransactionBoundary.begin(event.origin(), query.threadId()) : null;
            case COMMIT, ROLLBACK -> isAhead(event) ? TransactionBoundary.end(event.origin(), 0) : null;
            case SAVEPOINT, ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT -> null;
            case XA_START, XA_END, XA_COMMIT, XA_ROLLBACK -> isAhead(event) ? xa(event, query, command) : null;
            case NONE -> isAhead(event) ? statement(event, query) : null;
        };
    }

    private static BinlogEntry xa(Event event, QueryEvent query, TransactionCommand command) {
        String sql = StatementReader.textOf(query);
        XaText xa = XaText.of(sql);
        return switch (command) {
            case XA_START -> TransactionBoundary.begin(event.origin(), query.threadId(), xa);
            case XA_END -> TransactionBoundary.end(event.origin(), xa);
            case XA_COMMIT -> new StatementEntry(event.origin(), EventType.XACOMMIT, sql, xa);
            case XA_ROLLBACK -> new StatementEntry(event.origin(), EventType.XAROLLBACK, sql, xa);
            case BEGIN, COMMIT, ROLLBACK, SAVEPOINT, ROLLBACK_TO_SAVEPOINT, RELEASE_SAVEPOINT, NONE ->
                throw new IllegalArgumentException("no XA statement: " + command);
        };
    }

    private @Nullable BinlogEntry statement(Event event, QueryEvent query) throws IOException {
        String sql = StatementReader.textOf(event, query);
        List<StatementChange> changes = statements.apply(event, query, sql);
        tables.onSchemaChange();
        progress.setSchemaReference(statements.schemaReference());
        event.setFile(progress.file());
        StatementEntry entry = statements.entry(event, query, sql, changes);
        if (statements.countChangeOfRows(event, query, sql)) {
            warnOfStatements(event);
        }
        return entry;
    }

    /**
     * The statement that changed rows. A {@code ROWS_QUERY_EVENT} begins with a length of one byte, which is of no use since
     * texts are longer; its character set is that of the transaction's BEGIN or XA START. MariaDB's event is the text alone.
     */
    private @Nullable BinlogEntry rowsQuery(Event event) {
        if (options.omits(Omitted.DML_STATEMENTS) || !isAhead(event)) {
            return null;
        }
        if (event.code() == EventCode.MARIADB_ANNOTATE_ROWS) {
            String sql = StatementReader.textOf(event.body(), 0);
            return new StatementEntry(event.origin(), EventType.QUERY, "", "", null, sql, "");
        }
        EventBody body = event.body();
        body.skip(1);
        String sql = StatementReader.textOf(body, transactionCollation);
        String table = statements.tableOf(sql);
        return new StatementEntry(event.origin(), EventType.QUERY, "", table, null, sql, "");
    }

    /** An event of the statement format with a value that the next statement uses. */
    private @Nullable BinlogEntry variable(Event event) {
        if (options.omits(Omitted.DML_STATEMENTS) || !isAhead(event)) {
            return null;
        }
        String sql = StatementVariables.sqlOf(event.code(), event.body());
        return new StatementEntry(event.origin(), EventType.QUERY, "", "", null, sql, "");
    }

    private void warnOfStatements(Event event) {
        long changes = statementFormat.count();
        if (changes > 0) {
            LOG.warn(
                    "the source writes statements and not rows, set binlog_format=ROW: changes={} file={} offset={}",
                    changes,
                    event.position().file().name(),
                    event.position().start());
        }
    }

    /** The begin of a file's data; neither they nor the statement that loads them become entries. */
    private @Nullable BinlogEntry loadedData(Event event) {
        if (!isAhead(event)) {
            return null;
        }
        statements.countChangeOfRows();
        long files = loadedData.count();
        if (files > 0) {
            LOG.warn(
                    "LOAD DATA in statement format is not delivered, neither this one nor others, set"
                            + " binlog_format=ROW: files={} file={} offset={}",
                    files,
                    event.position().file().name(),
                    event.position().start());
        }
        return null;
    }
}
