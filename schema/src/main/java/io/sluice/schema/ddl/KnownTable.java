package io.sluice.schema.ddl;

import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
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

    /** The table with another name, which is certain. */
    KnownTable withName(TableName other) {
        return new KnownTable(schema.withName(other), recheck, false, doubt == null ? null : doubt.withName(other));
    }
}
