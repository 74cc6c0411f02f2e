package io.sluice.schema.definition;

import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.sql.UnreadableSqlException;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.Versioning;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a column in a statement.
 *
 * @param mysqlType the type with its arguments, but for members
 * @param members the members of an ENUM or SET; null for other types
 * @param charset the character set in the definition; null if it has none, so that the table's holds
 * @param position where an ALTER TABLE puts the column; null if it does not specify that
 * @param versioning what it is to a system-versioned table
 * @param invisible as in {@link ColumnSchema}
 * @param generated as in {@link ColumnSchema}
 * @param startsVersioning whether it has {@code WITH SYSTEM VERSIONING}, which makes a table that is created a system-versioned one
 * @param isUnversioned whether it has {@code WITHOUT SYSTEM VERSIONING}
 */
public record ColumnDefinition(
        String name,
        String mysqlType,
        @Nullable MemberList members,
        boolean primaryKey,
        boolean unsigned,
        @Nullable String charset,
        @Nullable Position position,
        Versioning versioning,
        boolean invisible,
        boolean generated,
        boolean startsVersioning,
        boolean isUnversioned) {

    /** {@code FIRST}, or {@code AFTER} a column. */
    record Position(@Nullable String after) {}

    /** The columns that MariaDB adds to a system-versioned table if the text names none; they are in the row images. */
    static List<ColumnDefinition> hiddenPeriod() {
        return List.of(hidden("row_start", Versioning.HIDDEN_ROW_START), hidden("row_end", Versioning.HIDDEN_ROW_END));
    }

    private static ColumnDefinition hidden(String name, Versioning versioning) {
        return new ColumnDefinition(
                name, "timestamp(6)", null, false, false, null, null, versioning, false, false, false, false);
    }

    /** Returns the column as it is in a table that is not a system-versioned one. */
    ColumnDefinition withoutVersioning() {
        return new ColumnDefinition(
                name,
                mysqlType,
                members,
                primaryKey,
                unsigned,
                charset,
                position,
                Versioning.NONE,
                invisible,
                generated,
                startsVersioning,
                isUnversioned);
    }

    /**
     * The column in a table with this default character set.
     *
     * @throws UnreadableSqlException if it has members that are literals of bytes, whose character set is not known
     */
    ColumnSchema toSchema(@Nullable String defaultCharset) throws UnreadableSqlException {
        TypeFamily family = TypeFamily.of(mysqlType);
        String resolved = null;
        if (family.hasCharset()) {
            resolved = charset == null ? inherited(family, defaultCharset) : charset;
        } else if (family == TypeFamily.JSON) {
            resolved = "utf8mb4";
        }
        String type = members == null ? mysqlType : mysqlType + members.text(resolved);
        return new ColumnSchema(name, type, primaryKey, unsigned, resolved, versioning, invisible, generated);
    }

    private static @Nullable String inherited(TypeFamily family, @Nullable String defaultCharset) {
        boolean isNumber = family == TypeFamily.ENUM || family == TypeFamily.SET;
        return isNumber && CharsetClause.UNKNOWN.equals(defaultCharset) ? null : defaultCharset;
    }
}
