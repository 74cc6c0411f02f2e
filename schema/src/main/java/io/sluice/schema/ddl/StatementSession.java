package io.sluice.schema.ddl;

/**
 * What the binlog tells about the session that executed a statement.
 *
 * @param id the session, on whichever server; {@link SchemaTracker#NO_SESSION} if it is not known
 * @param usesTemporary whether the statement uses temporary tables, or the session has used some before in the same procedure: the server does not
 *     tell which
 * @param isAtomic whether the server logged it as an atomic DDL, so that the table that it changes is a permanent one
 */
public record StatementSession(long id, boolean usesTemporary, boolean isAtomic) {
    static final StatementSession UNKNOWN = new StatementSession(SchemaTracker.NO_SESSION, false, false);
}
