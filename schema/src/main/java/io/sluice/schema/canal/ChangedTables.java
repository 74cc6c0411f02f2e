package io.sluice.schema.canal;

import io.sluice.schema.sql.Token;
import io.sluice.schema.sql.Token.Kind;
import io.sluice.schema.sql.TokenCursor;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The tables that an UPDATE or DELETE changes. Of a join: the tables whose columns SET assigns, or that DELETE names; all joined tables if that cannot be
 * determined. For one thread.
 */
final class ChangedTables {
    private static final Set<String> AFTER_TABLE = Set.of(
            "JOIN",
            "INNER",
            "CROSS",
            "LEFT",
            "RIGHT",
            "FULL",
            "NATURAL",
            "STRAIGHT_JOIN",
            "ON",
            "USING",
            "USE",
            "FORCE",
            "IGNORE",
            "FOR",
            "FROM",
            "SET",
            "WHERE",
            "ORDER",
            "LIMIT",
            "RETURNING");

    private final TokenCursor cursor;
    private final String sessionSchema;
    private final Set<String> commonTables;
    private final List<Joined> joined = new ArrayList<>();

    /** A table, and the alias by which the statement refers to it. */
    private record Joined(TableName table, @Nullable String alias) {
        boolean isMeantBy(Reference name) {
            if (name.schema() != null) {
                return alias == null
                        && table.schema().equalsIgnoreCase(name.schema())
                        && table.table().equalsIgnoreCase(name.table());
            }
            return name.table().equalsIgnoreCase(alias == null ? table.table() : alias);
        }
    }

    /** A table as the statement refers to it. */
    private record Reference(@Nullable String schema, String table) {}

    /**
     * Begins after the verb of a statement and its modifiers.
     *
     * @param sessionSchema the schema that names without one belong to; may be empty
     * @param commonTables names in lower case that the statement has defined by queries
     */
    ChangedTables(TokenCursor cursor, String sessionSchema, Set<String> commonTables) {
        this.cursor = cursor;
        this.sessionSchema = sessionSchema;
        this.commonTables = commonTables;
    }

    /** The tables of an UPDATE; empty if the text cannot be read. */
    List<TableName> ofUpdate() {
        readJoined();
        return joined.size() < 2 || !cursor.accept("SET") ? all() : named(assigned());
    }

    /** The tables of a DELETE; empty if the text cannot be read. */
    List<TableName> ofDelete() {
        boolean hasFrom = cursor.accept("FROM");
        List<Reference> targets = new ArrayList<>();
        do {
            Reference target = reference();
            if (target == null) {
                break;
            }
            targets.add(target);
        } while (cursor.acceptSign(','));
        if (cursor.accept(hasFrom ? "USING" : "FROM")) {
            readJoined();
            return named(targets);
        }
        return targets.stream().limit(1).map(this::table).toList();
    }

    private List<TableName> all() {
        return joined.stream().map(Joined::table).toList();
    }

    /** The tables that are meant; all if one of the references is to none, or there are no references. */
    private List<TableName> named(List<Reference> references) {
        Set<TableName> tables = new LinkedHashSet<>();
        for (Reference reference : references) {
            List<TableName> meant = joined.stream()
                    .filter(each -> each.isMeantBy(reference))
                    .map(Joined::table)
                    .toList();
            if (meant.isEmpty()) {
                return all();
            }
            tables.addAll(meant);
        }
        return tables.isEmpty() ? all() : List.copyOf(tables);
    }

    private TableName table(Reference reference) {
        return new TableName(reference.schema() == null ? sessionSchema : reference.schema(), reference.table());
    }

    /** The tables whose columns are set; none if one of the columns is not qualified. */
    private List<Reference> assigned() {
        List<Reference> tables = new ArrayList<>();
        do {
            List<String> names = names();
            switch (names.size()) {
                case 2 -> tables.add(new Reference(null, names.get(0)));
                case 3 -> tables.add(new Reference(names.get(0), names.get(1)));
                default -> {
                    return List.of();
                }
            }
            while (!cursor.isAtSign(',') && !isAtEnd()) {
                skip();
            }
        } while (cursor.acceptSign(','));
        return tables;
    }

    private @Nullable Reference reference() {
        List<String> names = names();
        return switch (names.size()) {
            case 1 -> new Reference(null, names.get(0));
            case 2 -> new Reference(names.get(0), names.get(1));
            default -> null;
        };
    }

    /** Names with dots between them; the last may be an asterisk, which is left out. None if they cannot be read. */
    private List<String> names() {
        List<String> names = new ArrayList<>();
        do {
            if (cursor.acceptSign('*')) {
                break;
            }
            boolean isNumber = !names.isEmpty() && cursor.peek().kind() == Kind.NUMBER;
            String name = isNumber ? cursor.next().text() : name();
            if (name == null) {
                return List.of();
            }
            names.add(name);
        } while (cursor.acceptSign('.'));
        return names;
    }

    private @Nullable String name() {
        try {
            return cursor.name();
        } catch (UnreadableSqlException e) {
            return null;
        }
    }

    private void readJoined() {
        readTable();
        while (!isAtEnd()) {
            if (cursor.acceptSign(',') || cursor.accept("JOIN") || cursor.accept("STRAIGHT_JOIN")) {
                readTable();
            } else if (!cursor.accept("FOR", "JOIN")) { // of an index
                skip(); // what is in parentheses is a condition, or a list of columns or partitions
            }
        }
    }

    private void readTable() {
        cursor.accept("LATERAL");
        while (cursor.isAtSign('(')) {
            if (isQuery(cursor.peek(1))) {
                skip();
                return;
            }
            cursor.next();
        }
        boolean isUnqualified = !cursor.peek(1).isSign('.');
        TableName table;
        try {
            table = cursor.tableName(sessionSchema);
        } catch (UnreadableSqlException e) {
            return;
        }
        if (cursor.accept("PARTITION")) {
            skip();
        }
        String alias = alias();
        if (!(isUnqualified && commonTables.contains(table.table().toLowerCase(Locale.ROOT)))) {
            joined.add(new Joined(table, alias));
        }
    }

    private @Nullable String alias() {
        if (cursor.accept("AS")) {
            return name();
        }
        Token next = cursor.peek();
        boolean isAlias = next.kind() == Kind.NAME
                || next.kind() == Kind.WORD && !AFTER_TABLE.contains(next.text().toUpperCase(Locale.ROOT));
        return isAlias ? name() : null;
    }

    private static boolean isQuery(Token token) {
        return token.isWord("SELECT") || token.isWord("WITH") || token.isWord("VALUES") || token.isWord("TABLE");
    }

    /** Steps over a token, or over parentheses with what is in them. */
    private void skip() {
        try {
            cursor.skipOne();
        } catch (UnreadableSqlException e) {
            // at the end of the text then
        }
    }

    /** Whether the list of tables, or of assignments, ends. */
    private boolean isAtEnd() {
        return cursor.isAt("SET")
                || cursor.isAt("WHERE")
                || cursor.isAt("ORDER")
                || cursor.isAt("LIMIT")
                || cursor.isAt("RETURNING")
                || cursor.isAt("FOR", "PORTION")
                || cursor.isAtStatementEnd();
    }
}
