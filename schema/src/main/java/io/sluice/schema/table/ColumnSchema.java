package io.sluice.schema.table;

import io.sluice.mysql.type.TypeFamily;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table.
 *
 * @param name the name without quotes
 * @param mysqlType the type as canal spells it: type name, {@code (args)}, {@code  unsigned}, {@code  zerofill}, in the
 *     case and spelling of the DDL text; no character set
 * @param primaryKey whether the column is a part of the primary key
 * @param unsigned whether the column holds no negative numbers, also where {@code mysqlType} does not show it
 *     ({@code SERIAL})
 * @param charset the MySQL character set of its text in lower case, {@code binary} for text types that hold bytes; {@link #UNKNOWN_CHARSET} if it is
 *     one that cannot be determined; null if the type has none, or it is that of texts for which the source names none
 * @param versioning its role in a period of the table
 * @param invisible whether the server leaves it out of {@code SELECT *}; known only where the order of columns depends on it: of columns with {@code
 *     AUTO_INCREMENT} on MySQL 8.0.30 and later
 * @param generated whether the server computes its values from those of other columns; known only of MariaDB, whose row images may lack such columns
 */
public record ColumnSchema(
        String name,
        String mysqlType,
        boolean primaryKey,
        boolean unsigned,
        @Nullable String charset,
        Versioning versioning,
        boolean invisible,
        boolean generated) {
    /** The name of a set that cannot be determined, since a default was changed after the statement that takes it. */
    public static final String UNKNOWN_CHARSET = "unknown";

    /** A visible column that is not generated, and has no part in system versioning. */
    public ColumnSchema(String name, String mysqlType, boolean primaryKey, boolean unsigned, @Nullable String charset) {
        this(name, mysqlType, primaryKey, unsigned, charset, Versioning.NONE, false, false);
    }

    /** The family of its type. */
    public TypeFamily family() {
        return TypeFamily.of(mysqlType);
    }

    /** Whether its values are text: a column whose character set is binary holds bytes, also if its type is one of text. */
    public boolean isText() {
        return family().isText(charset);
    }

    /** Whether its values are text that can be decoded only if the table map states the character set. */
    public boolean isCharsetUnknown() {
        return UNKNOWN_CHARSET.equals(charset);
    }

    /** Whether it is a hidden column of a system-versioned table. */
    public boolean isHidden() {
        return versioning.isHidden();
    }

    /** Whether it holds the time until which a row was the current one, in a system-versioned table. */
    public boolean isRowEnd() {
        return versioning.isRowEnd();
    }

    /**
     * The members of an {@code ENUM} or {@code SET} in parentheses, as strings in which quotes are doubled; empty for other types. A value is
     * the number of a member.
     */
    public String members() {
        TypeFamily family = family();
        int start = family == TypeFamily.ENUM || family == TypeFamily.SET ? mysqlType.indexOf('(') : -1;
        return start < 0 ? "" : mysqlType.substring(start);
    }

    /** Whether the same value in the binlog means the same in both, if their types have the same code there. */
    boolean hasSameValues(ColumnSchema other) {
        return unsigned == other.unsigned
                && members().equals(other.members())
                && (charset == null
                        || other.charset == null
                        || isCharsetUnknown()
                        || other.isCharsetUnknown()
                        || charset.replace("utf8mb3", "utf8").equals(other.charset.replace("utf8mb3", "utf8")));
    }

    /** This column with another name, as part of the primary key or not. */
    public ColumnSchema with(String newName, boolean isKey) {
        return withName(newName).withPrimaryKey(isKey);
    }

    /** This column with another name. */
    public ColumnSchema withName(String newName) {
        return new ColumnSchema(newName, mysqlType, primaryKey, unsigned, charset, versioning, invisible, generated);
    }

    /** This column as part of the primary key or not. */
    public ColumnSchema withPrimaryKey(boolean isKey) {
        return new ColumnSchema(name, mysqlType, isKey, unsigned, charset, versioning, invisible, generated);
    }

    /** This column with another type, spelled as {@link #mysqlType} describes; unsigned as before. */
    public ColumnSchema withMysqlType(String newType) {
        return new ColumnSchema(name, newType, primaryKey, unsigned, charset, versioning, invisible, generated);
    }

    /** This column with another role in a period of the table. */
    public ColumnSchema withVersioning(Versioning newVersioning) {
        return new ColumnSchema(name, mysqlType, primaryKey, unsigned, charset, newVersioning, invisible, generated);
    }

    /** This column as an invisible or visible one. */
    public ColumnSchema withVisibility(boolean isInvisible) {
        return new ColumnSchema(name, mysqlType, primaryKey, unsigned, charset, versioning, isInvisible, generated);
    }

    /** This column with another character set; null if it is not known. */
    public ColumnSchema withCharset(@Nullable String newCharset) {
        return new ColumnSchema(name, mysqlType, primaryKey, unsigned, newCharset, versioning, invisible, generated);
    }
}
