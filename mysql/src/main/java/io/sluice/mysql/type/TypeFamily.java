package io.sluice.mysql.type;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kind of values that a column holds, independent of the spelling of its type. */
public enum TypeFamily {
    /** All whole numbers, {@code BOOL} and {@code SERIAL} among them. */
    INTEGER,
    /** Exact numbers with a fraction. */
    DECIMAL,
    /** {@code FLOAT} and {@code DOUBLE}. */
    FLOAT,
    /** {@code BIT}. */
    BIT,
    /** Dates and times, {@code YEAR} among them. */
    TEMPORAL,
    /** {@code CHAR} and {@code VARCHAR}: text, unless the character set is binary. */
    CHAR,
    /** {@code TINYTEXT} to {@code LONGTEXT}: text, unless the character set is binary. */
    TEXT,
    /** {@code BINARY} and {@code VARBINARY}. */
    BINARY,
    /** {@code TINYBLOB} to {@code LONGBLOB}. */
    BLOB,
    /** {@code ENUM}. */
    ENUM,
    /** {@code SET}. */
    SET,
    /** {@code JSON}, which MariaDB stores as text. */
    JSON,
    /** {@code GEOMETRY} and its kinds. */
    GEOMETRY,
    /** {@code VECTOR}. */
    VECTOR,
    /** MariaDB's {@code UUID}. */
    UUID,
    /** MariaDB's {@code INET4}. */
    INET4,
    /** MariaDB's {@code INET6}. */
    INET6,
    /** A type that is not known here. */
    OTHER;

    private static final Pattern FIRST_WORD = Pattern.compile("\\s*([^\\s(]+)");
    private static final Pattern WORDS_OF_BYTES =
            Pattern.compile("\\b(VARBINARY|BYTE|BINARY)\\b", Pattern.CASE_INSENSITIVE);

    private static final Map<String, TypeFamily> BY_WORD = Map.ofEntries(
            Map.entry("TINYINT", INTEGER),
            Map.entry("SMALLINT", INTEGER),
            Map.entry("MEDIUMINT", INTEGER),
            Map.entry("INT", INTEGER),
            Map.entry("INTEGER", INTEGER),
            Map.entry("BIGINT", INTEGER),
            Map.entry("INT1", INTEGER),
            Map.entry("INT2", INTEGER),
            Map.entry("INT3", INTEGER),
            Map.entry("INT4", INTEGER),
            Map.entry("INT8", INTEGER),
            Map.entry("MIDDLEINT", INTEGER),
            Map.entry("BOOL", INTEGER),
            Map.entry("BOOLEAN", INTEGER),
            Map.entry("SERIAL", INTEGER),
            Map.entry("DECIMAL", DECIMAL),
            Map.entry("DEC", DECIMAL),
            Map.entry("NUMERIC", DECIMAL),
            Map.entry("FIXED", DECIMAL),
            Map.entry("NUMBER", DECIMAL),
            Map.entry("FLOAT", FLOAT),
            Map.entry("FLOAT4", FLOAT),
            Map.entry("FLOAT8", FLOAT),
            Map.entry("DOUBLE", FLOAT),
            Map.entry("REAL", FLOAT),
            Map.entry("BIT", BIT),
            Map.entry("DATE", TEMPORAL),
            Map.entry("TIME", TEMPORAL),
            Map.entry("DATETIME", TEMPORAL),
            Map.entry("TIMESTAMP", TEMPORAL),
            Map.entry("YEAR", TEMPORAL),
            Map.entry("CHAR", CHAR),
            Map.entry("CHARACTER", CHAR),
            Map.entry("VARCHAR", CHAR),
            Map.entry("VARCHARACTER", CHAR),
            Map.entry("VARCHAR2", CHAR),
            Map.entry("NATIONAL", CHAR),
            Map.entry("NCHAR", CHAR),
            Map.entry("NVARCHAR", CHAR),
            Map.entry("TINYTEXT", TEXT),
            Map.entry("TEXT", TEXT),
            Map.entry("MEDIUMTEXT", TEXT),
            Map.entry("LONGTEXT", TEXT),
            Map.entry("CLOB", TEXT),
            Map.entry("LONG", TEXT),
            Map.entry("BINARY", BINARY),
            Map.entry("VARBINARY", BINARY),
            Map.entry("RAW", BINARY),
            Map.entry("TINYBLOB", BLOB),
            Map.entry("BLOB", BLOB),
            Map.entry("MEDIUMBLOB", BLOB),
            Map.entry("LONGBLOB", BLOB),
            Map.entry("ENUM", ENUM),
            Map.entry("SET", SET),
            Map.entry("JSON", JSON),
            Map.entry("GEOMETRY", GEOMETRY),
            Map.entry("POINT", GEOMETRY),
            Map.entry("LINESTRING", GEOMETRY),
            Map.entry("POLYGON", GEOMETRY),
            Map.entry("MULTIPOINT", GEOMETRY),
            Map.entry("MULTILINESTRING", GEOMETRY),
            Map.entry("MULTIPOLYGON", GEOMETRY),
            Map.entry("GEOMETRYCOLLECTION", GEOMETRY),
            Map.entry("GEOMCOLLECTION", GEOMETRY),
            Map.entry("VECTOR", VECTOR),
            Map.entry("UUID", UUID),
            Map.entry("INET4", INET4),
            Map.entry("INET6", INET6));

    /** The family of a type in any spelling that MySQL takes, with or without arguments; {@link #OTHER} if unknown. */
    public static TypeFamily of(String mysqlType) {
        Matcher first = FIRST_WORD.matcher(mysqlType);
        if (!first.lookingAt()) {
            return OTHER;
        }
        TypeFamily family = BY_WORD.getOrDefault(first.group(1).toUpperCase(Locale.ROOT), OTHER);
        if (family == TEXT && WORDS_OF_BYTES.matcher(mysqlType).find()) {
            return BLOB; // LONG VARBINARY, and TEXT BYTE in a text that still has its attributes
        }
        if (family == CHAR && WORDS_OF_BYTES.matcher(mysqlType).find()) {
            return BINARY;
        }
        return family;
    }

    /** Whether a column of this family has a character set. */
    public boolean hasCharset() {
        return this == CHAR || this == TEXT || this == ENUM || this == SET;
    }

    /**
     * Whether values of a column of this family are text: a column whose character set is binary holds bytes, also if its type is one of
     * text.
     *
     * @param charset the column's character set in lower case; null if it has none or it is not known
     */
    public boolean isText(@Nullable String charset) {
        return switch (this) {
            case CHAR, TEXT -> !"binary".equals(charset);
            case ENUM, SET, JSON -> true;
            default -> false;
        };
    }
}
