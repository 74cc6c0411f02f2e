package io.sluice.parse.schema;

import io.sluice.parse.charset.MySqlCharsets;
import java.util.Locale;
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
 * @param charset the MySQL character set of its text in lower case, {@code binary} for text types that hold bytes; null
 *     if the type has none or it is not known
 * @param versioning what it is to a system-versioned table
 */
public record ColumnSchema(
        String name,
        String mysqlType,
        boolean primaryKey,
        boolean unsigned,
        @Nullable String charset,
        Versioning versioning) {
    /** A column of no meaning to the versions of rows. */
    public ColumnSchema(String name, String mysqlType, boolean primaryKey, boolean unsigned, @Nullable String charset) {
        this(name, mysqlType, primaryKey, unsigned, charset, Versioning.NONE);
    }

    /** The family of its type. */
    public TypeFamily family() {
        return TypeFamily.of(mysqlType);
    }

    /** Whether its values are text: a column whose character set is binary holds bytes, whatever its type says. */
    public boolean isText() {
        return switch (family()) {
            case CHAR, TEXT -> !"binary".equals(charset);
            case ENUM, SET, JSON -> true;
            default -> false;
        };
    }

    ColumnSchema withName(String newName) {
        return new ColumnSchema(newName, mysqlType, primaryKey, unsigned, charset, versioning);
    }

    ColumnSchema withPrimaryKey(boolean isKey) {
        return new ColumnSchema(name, mysqlType, isKey, unsigned, charset, versioning);
    }

    ColumnSchema withCharset(@Nullable String newCharset) {
        return new ColumnSchema(name, mysqlType, primaryKey, unsigned, newCharset, versioning);
    }

    /** After CONVERT TO CHARACTER SET: a text type grows by one size if its characters may take more bytes now. */
    ColumnSchema converted(@Nullable String newCharset) {
        boolean grows = charset != null
                && newCharset != null
                && MySqlCharsets.longestCharacter(newCharset) > MySqlCharsets.longestCharacter(charset);
        return new ColumnSchema(name, grows ? nextTextSize() : mysqlType, primaryKey, unsigned, newCharset, versioning);
    }

    private String nextTextSize() {
        String larger;
        switch (mysqlType.toUpperCase(Locale.ROOT)) {
            case "TINYTEXT" -> larger = "TEXT";
            case "TEXT" -> larger = "MEDIUMTEXT";
            case "MEDIUMTEXT" -> larger = "LONGTEXT";
            default -> {
                return mysqlType;
            }
        }
        return Character.isUpperCase(mysqlType.charAt(0)) ? larger : larger.toLowerCase(Locale.ROOT);
    }
}
