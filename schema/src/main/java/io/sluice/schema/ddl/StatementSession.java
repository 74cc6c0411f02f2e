package io.sluice.schema.ddl;

import io.sluice.schema.ddl.catalog.BinlogSession;
import org.jspecify.annotations.Nullable;

/**
 * What the binlog states about the session that executed a statement.
 *
 * @param id the session, on whichever server; {@link BinlogSession#NO_ID} if it is not known
 * @param usesTemporary whether the statement uses temporary tables, or the session has used some before in the same procedure: the server does not
 *     state which
 * @param isAtomic whether the server logged it as an atomic DDL, so that the table that it changes is a permanent one
 * @param serverCharset the character set of its {@code collation_server}, which a new schema gets by default; null if it is not known
 * @param schemaCharset the character set of its {@code collation_database}; null if that is the default of the session's default schema
 */
public record StatementSession(
        long id,
        boolean usesTemporary,
        boolean isAtomic,
        @Nullable String serverCharset,
        @Nullable String schemaCharset) {
    static final StatementSession UNKNOWN = new StatementSession(BinlogSession.NO_ID, false, false);

    /** A session whose character sets are not known. */
    public StatementSession(long id, boolean usesTemporary, boolean isAtomic) {
        this(id, usesTemporary, isAtomic, null, null);
    }
}
