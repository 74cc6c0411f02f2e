package io.sluice.schema.ddl;

import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.IdentifierCase;
import io.sluice.schema.table.TableName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The temporary tables that sessions of the source were seen to create. For one thread.
 *
 * <p>A server flags every statement that uses a temporary table of its session, but also what follows in the same procedure, up to a change of a
 * permanent table. Only the statement that creates a temporary table shows for certain that its name is that of one; it is in the binlog unless the
 * session logs rows only, and then no change of the temporary table is either.
 *
 * <p>{@code RENAME TABLE} is different. MySQL does not rename temporary tables by it. MariaDB does, pair by pair, flags none of these statements, and logs
 * them also if the session logs rows only.
 */
final class TemporaryTables {
    /** Sessions drop their tables when they end, which is logged; a server that was killed does not log it. */
    private static final int MAX = 10_000;

    private final SourceTraits source;
    private final Set<Owned> tables = new HashSet<>();

    private record Owned(long session, TableName name) {}

    TemporaryTables(SourceTraits source) {
        this.source = source;
    }

    /**
     * Returns what a statement of a session means, and notes the temporary tables that it creates, renames and drops.
     *
     */
    Statement ofSession(Statement statement, StatementSession session) {
        if (statement instanceof TableStatement.RenameTables rename) {
            return source.mariaDb() ? renamed(rename, session.id()) : rename;
        }
        boolean isOfPermanent = session.isAtomic() && !(statement instanceof TableStatement.CreateTableLike);
        return session.usesTemporary() && !isOfPermanent ? flagged(statement, session.id()) : statement;
    }

    /** Returns what a statement means that was recorded with a use of temporary tables. */
    static Statement ofRecord(Statement statement, TemporaryUse use, long session) {
        return use == TemporaryUse.NONE
                ? statement
                : TemporaryTableStatement.of(statement, name -> use == TemporaryUse.CERTAIN, session);
    }

    /** The names that a flagged statement makes, or frees, as those of temporary tables of its session. */
    static List<TableName> namesChanged(Statement statement) {
        if (statement instanceof TableStatement.Creation create && create.temporary()) {
            return List.of(create.name());
        }
        if (statement instanceof TableStatement.DropTables drop) {
            return drop.names();
        }
        return statement instanceof TemporaryTableStatement.Change change
                ? change.statement().tables()
                : List.of();
    }

    /** How the statements of one text use temporary tables: the first of them that does. */
    static TemporaryUse useBy(List<Statement> statements) {
        return statements.stream()
                .map(Statement::temporaryUse)
                .filter(use -> use != TemporaryUse.NONE)
                .findFirst()
                .orElse(TemporaryUse.NONE);
    }

    /** Whether a session was seen to create a temporary table of that name, which it has not dropped. */
    boolean has(long session, TableName name) {
        return tables.contains(owned(session, name));
    }

    /** Forgets them all, since they end with the server. */
    void clear() {
        tables.clear();
    }

    private Statement flagged(Statement statement, long session) {
        Statement meant = TemporaryTableStatement.of(statement, name -> tables.contains(owned(session, name)), session);
        if (tables.size() >= MAX) {
            tables.clear();
        }
        if (statement instanceof TableStatement.Creation create && create.temporary()) {
            tables.add(owned(session, create.name()));
        } else if (statement instanceof TableStatement.DropTables drop) {
            drop.names().forEach(name -> tables.remove(owned(session, name)));
        } else if (meant instanceof TemporaryTableStatement.Change
                && statement instanceof TableStatement.AlterTable alter
                && alter.newName() != null) {
            tables.remove(owned(session, alter.name()));
            tables.add(owned(session, alter.newName()));
        }
        return meant;
    }

    private Statement renamed(TableStatement.RenameTables rename, long session) {
        List<TableStatement.Renaming> permanent = new ArrayList<>();
        for (TableStatement.Renaming renaming : rename.renamings()) {
            if (tables.remove(owned(session, renaming.from()))) {
                tables.add(owned(session, renaming.to()));
            } else {
                permanent.add(renaming);
            }
        }
        if (permanent.size() == rename.renamings().size()) {
            return rename;
        }
        return permanent.isEmpty()
                ? new TemporaryTableStatement.Change(rename)
                : new TemporaryTableStatement.PartlyTemporaryRename(
                        rename, new TableStatement.RenameTables(permanent, rename.ifExists()));
    }

    private Owned owned(long session, TableName name) {
        return new Owned(session, source.foldsNames() ? IdentifierCase.fold(name) : name);
    }
}
