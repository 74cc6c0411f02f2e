package io.sluice.schema.ddl.catalog;

import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A table in memory, with what is not certain about it.
 *
 * @param schema the schema that it has according to the stream
 * @param recheck why the schema is compared with the source before it is used
 * @param isNameInDoubt whether the name may be free: the table got it, or had it, by a {@code RENAME TABLE} which, according to the
 *     binlog, may have been that of temporary tables
 * @param doubt the schemas that it may have instead; null if there are none
 */
record KnownTable(
        TableSchema schema,
        RecheckReason recheck,
        boolean isNameInDoubt,
        @Nullable TableDoubt doubt) {
    /** A table that has no other schema, or whose schema is that of the source. */
    KnownTable(TableSchema schema, RecheckReason recheck) {
        this(schema, recheck, false, null);
    }

    TableName name() {
        return schema.name();
    }

    KnownTable withSchema(TableSchema other) {
        return new KnownTable(other, recheck, isNameInDoubt, doubt);
    }

    KnownTable withRecheck(RecheckReason other) {
        return new KnownTable(schema, other, isNameInDoubt, doubt);
    }

    KnownTable withDoubt(@Nullable TableDoubt other) {
        return new KnownTable(schema, recheck, isNameInDoubt, other);
    }

    KnownTable withNameInDoubt(boolean isInDoubt) {
        return new KnownTable(schema, recheck, isInDoubt, doubt);
    }

    /**
     * The table after a change of its schema, with the same reason to recheck it.
     *
     * @throws UnreadableSqlException if the change does not match the schema, nor one that the table may have instead
     */
    KnownTable after(SchemaChange change) throws UnreadableSqlException {
        List<TableSchema> others = doubt == null ? List.of() : doubt.othersAfter(change);
        TableSchema after;
        try {
            after = change.apply(schema);
        } catch (UnreadableSqlException e) {
            if (others.isEmpty()) {
                throw e;
            }
            after = others.get(0); // the table has one of these, since the statement was executed
        }
        TableDoubt left = doubt == null ? null : TableDoubt.of(after, others, doubt.by(), doubt.isFlagged());
        // a change of a temporary table is flagged, or not logged, so the name is that of a permanent one
        return new KnownTable(after, recheck, false, left);
    }

    /** The table with another name, which is certain. */
    KnownTable withName(TableName other) {
        return new KnownTable(schema.withName(other), recheck, false, doubt == null ? null : doubt.withName(other));
    }
}
