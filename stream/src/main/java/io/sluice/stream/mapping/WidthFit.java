package io.sluice.stream.mapping;

import io.sluice.mysql.binlog.ColumnCode;
import io.sluice.mysql.binlog.TableMap;
import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableSchema;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether columns whose kinds {@linkplain TypeFit fit} also have the width, sign and character set that a table map states. A difference
 * means that the table schema is of another time, although it has as many columns of the same kinds.
 *
 * <p>Servers store the same definition in several ways, and a table schema need not tell all of it: what is not known here fits. A column's
 * length in bytes depends on its character set; where that is not known, any number of bytes per character fits.
 */
final class WidthFit {
    private static final int MOST_BYTES_PER_CHARACTER = 4;
    private static final int LENGTH_BYTES_OF_LONGTEXT = 4;
    private static final int MOST_VARCHAR_BYTES = 65_535;
    private static final int MOST_CHAR_CHARACTERS = 255;
    private static final int MOST_ENUM_MEMBERS_OF_A_BYTE = 255;
    private static final int LARGEST_SINGLE_PRECISION = 24;
    private static final int DEFAULT_PRECISION = 10;
    private static final int MOST_FRACTION_DIGITS = 6;
    private static final int LARGEST_ARGUMENT = 100_000_000;

    private static final Pattern MEMBER = Pattern.compile("'[^']*+(?:''[^']*+)*+'");

    private static final Map<String, Integer> INTEGERS = Map.ofEntries(
            Map.entry("TINYINT", ColumnCode.TINY),
            Map.entry("INT1", ColumnCode.TINY),
            Map.entry("BOOL", ColumnCode.TINY),
            Map.entry("BOOLEAN", ColumnCode.TINY),
            Map.entry("SMALLINT", ColumnCode.SHORT),
            Map.entry("INT2", ColumnCode.SHORT),
            Map.entry("MEDIUMINT", ColumnCode.INT24),
            Map.entry("MIDDLEINT", ColumnCode.INT24),
            Map.entry("INT3", ColumnCode.INT24),
            Map.entry("INT", ColumnCode.LONG),
            Map.entry("INTEGER", ColumnCode.LONG),
            Map.entry("INT4", ColumnCode.LONG),
            Map.entry("BIGINT", ColumnCode.LONGLONG),
            Map.entry("INT8", ColumnCode.LONGLONG),
            Map.entry("SERIAL", ColumnCode.LONGLONG));

    private final int code;
    private final int meta;
    private final ColumnSchema column;
    private final TypeFamily family;

    /** The words of the type before its arguments, in upper case. */
    private final String words;

    private WidthFit(TableMap map, int index, ColumnSchema column, TypeFamily family) {
        String type = column.mysqlType();
        int arguments = type.indexOf('(');
        this.code = map.types()[index];
        this.meta = map.metadata()[index];
        this.column = column;
        this.family = family;
        this.words = (arguments < 0 ? type : type.substring(0, arguments)).toUpperCase(Locale.ROOT);
    }

    /** The first column, among those that both have, that differs; -1 if there is none. */
    static int firstMismatch(TableMap map, TableSchema table) {
        int both = Math.min(table.columns().size(), map.types().length);
        for (int i = 0; i < both; i++) {
            if (!fits(map, i, table.columns().get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** Whether a column of a table map fits a column whose kind is the same. */
    static boolean fits(TableMap map, int index, ColumnSchema column) {
        TypeFamily family = column.family();
        return hasSign(map.unsigned(), index, column, family)
                && hasCharset(map.collations(), index, column, family)
                && new WidthFit(map, index, column, family).hasWidth();
    }

    /** Whether a column of a table map has the sign and, if it is a whole number, the width of a column whose kind is the same. */
    static boolean isSameNumber(TableMap map, int index, ColumnSchema column) {
        TypeFamily family = column.family();
        return hasSign(map.unsigned(), index, column, family)
                && (family != TypeFamily.INTEGER || new WidthFit(map, index, column, family).hasWidth());
    }

    /** What a table map says about a column beside its type, for messages. */
    static String describe(TableMap map, int index) {
        boolean[] unsigned = map.unsigned();
        int[] collations = map.collations();
        String collation = collations == null || collations[index] == 0 ? "" : ", collation " + collations[index];
        String sign = unsigned == null || !unsigned[index] ? "" : ", unsigned";
        return "metadata " + map.metadata()[index] + sign + collation;
    }

    private static boolean hasSign(boolean @Nullable [] unsigned, int index, ColumnSchema column, TypeFamily family) {
        return switch (family) {
            case INTEGER, DECIMAL, FLOAT -> unsigned == null || unsigned[index] == column.unsigned();
            default -> true;
        };
    }

    private static boolean hasCharset(int @Nullable [] collations, int index, ColumnSchema column, TypeFamily family) {
        String theirs =
                collations == null || collations[index] == 0 ? null : MySqlCharsets.charsetOf(collations[index]);
        String ours = switch (family) {
            case CHAR, TEXT -> column.isCharsetUnknown() ? null : column.charset();
            case BINARY, BLOB -> "binary";
            default -> null;
        };
        return theirs == null || ours == null || isSame(ours.toLowerCase(Locale.ROOT), theirs);
    }

    /** MariaDB takes {@code utf8} for utf8mb4 if {@code old_mode} does not say otherwise. */
    private static boolean isSame(String ours, String theirs) {
        return switch (ours) {
            case "utf8" -> theirs.startsWith("utf8");
            case "utf8mb3" -> theirs.equals("utf8mb3") || theirs.equals("utf8");
            default -> ours.equals(theirs);
        };
    }

    private boolean hasWidth() {
        return switch (family) {
            case INTEGER -> INTEGERS.getOrDefault(firstWord(), code) == code;
            case DECIMAL -> isDecimal();
            case FLOAT -> isFloat();
            case BIT -> isBit();
            case TEMPORAL -> isTemporal();
            case CHAR, BINARY -> isString();
            case TEXT, BLOB -> !ColumnCode.isBlob(code) || blobLengthBytes() == 0 || blobLengthBytes() == meta;
            case ENUM -> isEnum();
            case SET -> isSet();
            case JSON -> !ColumnCode.isBlob(code) || meta == LENGTH_BYTES_OF_LONGTEXT; // MariaDB's is a LONGTEXT
            case GEOMETRY, VECTOR, UUID, INET4, INET6, OTHER -> true;
        };
    }

    private String firstWord() {
        int end = words.indexOf(' ');
        return end < 0 ? words : words.substring(0, end);
    }

    /** An argument of the type, the first one being 1; -1 if it has not so many, or it is no number. */
    private int argument(int number) {
        String type = column.mysqlType();
        int at = words.length() + 1;
        for (int i = 1; i < number; i++) {
            at = type.indexOf(',', at) + 1;
            if (at == 0) {
                return -1;
            }
        }
        while (at < type.length() && type.charAt(at) == ' ') {
            at++;
        }
        int value = -1;
        for (; at < type.length() && type.charAt(at) >= '0' && type.charAt(at) <= '9'; at++) {
            value = Math.min(Math.max(0, value) * 10 + type.charAt(at) - '0', LARGEST_ARGUMENT);
        }
        return value;
    }

    private boolean isDecimal() {
        if (code != ColumnCode.NEWDECIMAL || firstWord().equals("NUMBER") && argument(1) < 0) {
            return true;
        }
        int precision = argument(1) < 1 ? DEFAULT_PRECISION : argument(1);
        return (meta & 0xFF) == precision && meta >> 8 == Math.max(0, argument(2));
    }

    private boolean isFloat() {
        return switch (firstWord()) {
            case "FLOAT" -> code == ColumnCode.FLOAT || argument(1) > LARGEST_SINGLE_PRECISION && argument(2) < 0;
            case "FLOAT4" -> code == ColumnCode.FLOAT;
            case "DOUBLE", "FLOAT8" -> code == ColumnCode.DOUBLE;
            default -> true; // what REAL is depends on sql_mode
        };
    }

    /** Engines that have no bits store whole bytes. */
    private boolean isBit() {
        int bits = argument(1) < 0 ? 1 : argument(1);
        int stored = (meta >> 8) * Byte.SIZE + (meta & 0xFF);
        return stored == bits || stored == (bits + Byte.SIZE - 1) / Byte.SIZE * Byte.SIZE;
    }

    private boolean isTemporal() {
        return switch (firstWord()) {
            case "YEAR" -> code == ColumnCode.YEAR;
            // In the mode ORACLE of MariaDB, a DATE is a DATETIME.
            case "DATE" ->
                code == ColumnCode.DATE
                        || code == ColumnCode.NEWDATE
                        || code == ColumnCode.DATETIME
                        || code == ColumnCode.DATETIME2 && meta == 0;
            case "TIME" -> code == ColumnCode.TIME || code == ColumnCode.TIME2 && hasFraction();
            case "DATETIME" -> code == ColumnCode.DATETIME || code == ColumnCode.DATETIME2 && hasFraction();
            case "TIMESTAMP" -> code == ColumnCode.TIMESTAMP || code == ColumnCode.TIMESTAMP2 && hasFraction();
            default -> true;
        };
    }

    private boolean hasFraction() {
        int digits = Math.max(0, argument(1));
        return digits == meta || digits > MOST_FRACTION_DIGITS;
    }

    private boolean isString() {
        boolean isVariable = words.contains("VAR") || words.startsWith("RAW");
        int characters = argument(1) < 0 && !isVariable ? 1 : argument(1);
        if (characters < 0) {
            return true;
        }
        return switch (code) {
            case ColumnCode.STRING -> !isVariable && isLength(meta, characters);
            case ColumnCode.VARCHAR -> isVariable && isLength(meta, characters);
            // A byte tells how the value is compressed.
            case ColumnCode.MARIADB_VARCHAR_COMPRESSED ->
                isVariable && (isLength(meta, characters) || isLength(meta - 1, characters));
            // If the server is not strict, what is too long becomes a TEXT or BLOB.
            case ColumnCode.TINY_BLOB,
                    ColumnCode.MEDIUM_BLOB,
                    ColumnCode.LONG_BLOB,
                    ColumnCode.BLOB,
                    ColumnCode.MARIADB_BLOB_COMPRESSED ->
                isVariable
                        ? (long) characters * mostBytesPerCharacter() >= MOST_VARCHAR_BYTES
                        : characters > MOST_CHAR_CHARACTERS;
            default -> true;
        };
    }

    private boolean isLength(int bytes, int characters) {
        String charset = charset();
        if (charset == null) {
            return characters == 0
                    ? bytes == 0
                    : bytes % characters == 0 && bytes >= characters && bytes / characters <= MOST_BYTES_PER_CHARACTER;
        }
        return bytes == (long) characters * MySqlCharsets.longestCharacter(charset)
                || charset.equals("utf8") && bytes == (long) characters * MOST_BYTES_PER_CHARACTER;
    }

    private int mostBytesPerCharacter() {
        String charset = charset();
        return charset == null || charset.equals("utf8")
                ? MOST_BYTES_PER_CHARACTER
                : MySqlCharsets.longestCharacter(charset);
    }

    private @Nullable String charset() {
        String charset = column.isCharsetUnknown() ? null : column.charset();
        return family == TypeFamily.BINARY ? "binary" : charset == null ? null : charset.toLowerCase(Locale.ROOT);
    }

    /** How many bytes the length of a TEXT or BLOB takes; 0 if that depends on the server, as for a type with a length. */
    private int blobLengthBytes() {
        String word = firstWord();
        if (argument(1) >= 0) {
            return 0;
        } else if (word.startsWith("TINY")) {
            return 1;
        } else if (word.equals("LONGTEXT") || word.equals("LONGBLOB") || word.equals("CLOB")) {
            return LENGTH_BYTES_OF_LONGTEXT;
        }
        return word.startsWith("MEDIUM") || word.equals("LONG") ? 3 : 2;
    }

    private boolean isEnum() {
        long members = members();
        return members == 0 || meta == (members > MOST_ENUM_MEMBERS_OF_A_BYTE ? 2 : 1);
    }

    private boolean isSet() {
        long members = members();
        long bytes = (members + Byte.SIZE - 1) / Byte.SIZE;
        return members == 0 || meta == (bytes > 4 ? Long.BYTES : bytes);
    }

    /** 0 if they are not known. */
    private long members() {
        return MEMBER.matcher(column.members()).results().count();
    }
}
