package io.sluice.schema.ddl;

import java.util.HashSet;
import java.util.Set;

/**
 * The temporary tables that sessions of the source were seen to create. For one thread.
 *
 * <p>A server flags every statement that uses a temporary table of its session, but also what follows in the same procedure, up to a change of a
 * permanent table. Only the statement that creates a temporary table tells for certain that its name is that of one; it is in the binlog unless the
 * session logs rows only, and then no change of the temporary table is either.
 */
final class TemporaryTables {
    /** Sessions drop their tables when they end, which is logged; a server that was killed does not log it. */
    private static final int MAX = 10_000;

    private final Set<Owned> tables = new HashSet<>();

    private record Owned(long session, TableName name) {}

    /** Returns what a statement means in a session that has used temporary tables, and notes those that it creates and drops. */
    Statement ofSession(Statement statement, long session) {
        Statement meant = statement.ofSession(name -> tables.contains(new Owned(session, name)));
        if (tables.size() >= MAX) {
            tables.clear();
        }
        if (statement instanceof Statement.CreateTable create && create.temporary()) {
            tables.add(new Owned(session, create.name()));
        } else if (statement instanceof Statement.CreateTableLike create && create.temporary()) {
            tables.add(new Owned(session, create.name()));
        } else if (statement instanceof Statement.DropTables drop) {
            drop.names().forEach(name -> tables.remove(new Owned(session, name)));
        } else if (meant instanceof Statement.TemporaryTableChange
                && statement instanceof Statement.AlterTable alter
                && alter.newName() != null) {
            tables.remove(new Owned(session, alter.name()));
            tables.add(new Owned(session, alter.newName()));
        }
        return meant;
    }
}
