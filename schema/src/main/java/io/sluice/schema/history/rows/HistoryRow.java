package io.sluice.schema.history.rows;

import io.sluice.schema.canal.StatementChange;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.TableName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A row of the history: a statement, or the definition of a table on the source.
 *
 * @param id counts up as rows are written
 * @param useSchema the schema of the session; may be empty
 * @param sqlSchema the schema of the first table that it is about; may be empty
 * @param sqlTable that table; may be empty
 * @param text the statement
 * @param type what it does to the table, in the words of entries
 * @param extra values for which canal has no column
 */
public record HistoryRow(
        long id,
        HistoryPosition position,
        String useSchema,
        String sqlSchema,
        String sqlTable,
        String text,
        String type,
        Map<String, String> extra) {
    /** In {@code extra}: what kind of row it is. */
    public static final String KIND = "kind";

    /** The kind of a row with the definition of a table that was not known, in canal's word. */
    public static final String DEFINITION = "first";

    /** In {@code extra}: the identity of the server whose binlog it is. */
    public static final String SOURCE = "source";

    /** In {@code extra}: which binlog of that server it is; nothing if no reset is known before it. */
    static final String EPOCH = "epoch";

    /** In {@code extra}: the modes of the session. */
    static final String MODE = "mode";

    /** In {@code extra}: the transaction. */
    public static final String GTID = "gtid";

    /** In {@code extra}: the offset at which the event ends. */
    static final String END = "end";

    /** In {@code extra}: when the file was begun, in seconds since the epoch; nothing if that is not known. */
    static final String BEGUN = "begun";

    /** In {@code extra}: whether the statement may have been of temporary tables; nothing if it was not. */
    static final String TEMPORARY = "temporary";

    /** In {@code extra}: the session, of a statement that may have been of temporary tables. */
    static final String SESSION = "session";

    /** In {@code extra}: the character set that the statement took from its schema or session; nothing if it took none, or canal wrote the row. */
    static final String CHARSET = "charset";

    /** In {@code extra}: that the tables concerned were forgotten, since a mode that the statement sets is not known; nothing in all other rows. */
    static final String AMBIGUOUS = "ambiguous";

    /** In {@code extra}: that the source has lost the event; nothing in all other rows. */
    private static final String LOST = "lost";

    private static final String IS_AMBIGUOUS = "true";
    private static final String IS_LOST = "true";
    private static final String POSSIBLE = "possible";
    private static final String CERTAIN = "certain";

    public HistoryRow {
        extra = Map.copyOf(extra);
    }

    /**
     * A row that is not written yet, of a statement.
     *
     * @param length the length of the event, in bytes
     */
    public static HistoryRow ofStatement(HistoryPosition position, int length, SchemaRecorder.Ddl statement) {
        Map<String, String> extra = extra(position, length);
        extra.putAll(extraOf(statement.temporary(), statement.session()));
        extra.put(MODE, statement.mode().toString());
        if (statement.charset() != null) {
            extra.put(CHARSET, statement.charset());
        }
        if (statement.isAmbiguous()) {
            extra.put(AMBIGUOUS, IS_AMBIGUOUS);
        }
        extra.values().removeIf(String::isEmpty);
        StatementChange first =
                statement.changes().isEmpty() ? null : statement.changes().get(0);
        return new HistoryRow(
                0,
                position,
                statement.sessionSchema(),
                first == null || first.schema() == null ? "" : first.schema(),
                first == null || first.table() == null ? "" : first.table(),
                statement.sql(),
                first == null ? "QUERY" : first.type().name(),
                extra);
    }

    /**
     * A row that is not written yet, of the definition of a table on the source.
     *
     * @param length the length of the event, in bytes
     */
    public static HistoryRow ofDefinition(
            HistoryPosition position, int length, TableName table, String createStatement) {
        Map<String, String> extra = extra(position, length);
        extra.put(KIND, DEFINITION);
        extra.values().removeIf(String::isEmpty);
        return new HistoryRow(
                0, position, table.schema(), table.schema(), table.table(), createStatement, "CREATE", extra);
    }

    private static Map<String, String> extra(HistoryPosition position, int length) {
        Map<String, String> extra = new HashMap<>();
        extra.put(SOURCE, position.source());
        extra.put(EPOCH, position.epoch() == 0 ? "" : Long.toString(position.epoch()));
        extra.put(END, Long.toString(position.offset() + length));
        extra.put(GTID, position.gtid());
        extra.put(BEGUN, position.fileBegunSeconds() == 0 ? "" : Long.toString(position.fileBegunSeconds()));
        return extra;
    }

    public boolean isDefinition() {
        return DEFINITION.equals(extra.get(KIND));
    }

    /**
     * Whether the source has lost the event with the end of its file: the tables that it concerns may be as they were before it, or as they were after it, and are
     * read from the source again.
     */
    public boolean isLost() {
        return IS_LOST.equals(extra.get(LOST));
    }

    /** What is stored with the row if its event is lost. */
    Map<String, String> extraOfLost() {
        Map<String, String> more = new HashMap<>(extra);
        more.put(LOST, IS_LOST);
        return more;
    }

    /** The offset at which the event ends; empty if the row has none. */
    public OptionalLong end() {
        String end = extra.get(END);
        try {
            return end == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(end));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    public SqlMode mode() {
        return SqlMode.parse(extra.getOrDefault(MODE, ""));
    }

    /** What is in {@code extra} about the use of temporary tables; empty if there was none. */
    private static Map<String, String> extraOf(TemporaryUse use, long session) {
        return switch (use) {
            case NONE -> Map.of();
            case POSSIBLE -> Map.of(TEMPORARY, POSSIBLE, SESSION, Long.toString(session));
            case CERTAIN -> Map.of(TEMPORARY, CERTAIN);
        };
    }

    /** Whether the statement was of temporary tables, according to the row. */
    TemporaryUse temporaryUse() {
        return switch (extra.getOrDefault(TEMPORARY, "")) {
            case POSSIBLE -> TemporaryUse.POSSIBLE;
            case CERTAIN -> TemporaryUse.CERTAIN;
            default -> TemporaryUse.NONE;
        };
    }

    /** The session that executed the statement; {@link BinlogSession#NO_ID} if the row does not state it. */
    long session() {
        try {
            return Long.parseLong(extra.getOrDefault(SESSION, ""));
        } catch (NumberFormatException e) {
            return BinlogSession.NO_ID;
        }
    }

    /** The character set that the statement took from its schema or session; null if it took none, or the row does not tell. */
    public @Nullable String charset() {
        return extra.get(CHARSET);
    }

    /** The statement, without its effects. */
    public SchemaRecorder.Ddl ddl() {
        return new SchemaRecorder.Ddl(
                text,
                useSchema,
                mode(),
                List.of(),
                temporaryUse(),
                session(),
                charset(),
                IS_AMBIGUOUS.equals(extra.get(AMBIGUOUS)));
    }

    /** Whether it has the same content at whatever position: the same statement, or the definition of the same table. */
    boolean isAboutTheSame(HistoryRow other) {
        if (isDefinition() != other.isDefinition()) {
            return false;
        }
        return isDefinition()
                ? sqlTable.equals(other.sqlTable) && sqlSchema.equals(other.sqlSchema)
                : text.equals(other.text) && useSchema.equals(other.useSchema);
    }
}
