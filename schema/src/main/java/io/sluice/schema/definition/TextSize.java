package io.sluice.schema.definition;

import io.sluice.mysql.charset.MySqlCharsets;
import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.table.ColumnSchema;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The sizes in which {@code TEXT} and {@code BLOB} come. */
enum TextSize {
    TINY("TINY", (1L << 8) - 1),
    NORMAL("", (1L << 16) - 1),
    MEDIUM("MEDIUM", (1L << 24) - 1),
    LONG("LONG", (1L << 32) - 1);

    private static final Pattern ARGUMENT = Pattern.compile("\\((\\d{1,10})\\b");
    private static final Pattern MEMBER = Pattern.compile("'([^']*+(?:''[^']*+)*+)'");
    private static final Pattern FRACTION = Pattern.compile(",0*[1-9]");
    private static final int BYTES_OF_VECTOR_ELEMENT = 4;
    private static final int DEFAULT_VECTOR = 2048;

    private final String prefix;
    private final long bytes;

    TextSize(String prefix, long bytes) {
        this.prefix = prefix;
        this.bytes = bytes;
    }

    /**
     * What {@code CONVERT TO CHARACTER SET} makes of a column's length: as many of the longest characters of the new set
     * as there is room for of the old one's. MySQL also divides the length of types that count characters.
     *
     * @param charset the new set; {@code binary} for bytes
     */
    static TextSize ofConverted(ColumnSchema old, String charset) {
        long characters = length(old) / longestCharacter(old.charset());
        return holding(characters * longestCharacter(charset));
    }

    /** The size of a text or blob that is declared with a length in characters, as {@code (50)}. */
    static TextSize ofLength(String arguments, @Nullable String charset) {
        return holding(argument(arguments, 0) * longestCharacter(charset));
    }

    /** The type in this size and in its author's spelling, if it is one without a length; else as it is. */
    String resize(String mysqlType) {
        TypeFamily family = TypeFamily.of(mysqlType);
        boolean sized = (family == TypeFamily.TEXT || family == TypeFamily.BLOB) && mysqlType.indexOf('(') < 0;
        if (!sized || of(mysqlType) == this) {
            return mysqlType;
        }
        String resized = prefix + family.name();
        return Character.isUpperCase(mysqlType.charAt(0)) ? resized : resized.toLowerCase(Locale.ROOT);
    }

    /** The size of a type without a length. */
    static TextSize of(String mysqlType) {
        String upper = mysqlType.toUpperCase(Locale.ROOT);
        if (upper.startsWith("TINY")) {
            return TINY;
        }
        if (upper.startsWith("LONGTEXT") || upper.startsWith("LONGBLOB")) {
            return LONG;
        }
        return upper.startsWith("MEDIUM") || upper.startsWith("LONG") ? MEDIUM : NORMAL; // LONG VARCHAR is a MEDIUMTEXT
    }

    private static TextSize holding(long length) {
        for (TextSize size : values()) {
            if (length <= size.bytes) {
                return size;
            }
        }
        return LONG;
    }

    /** What the server takes for the length of a column: bytes, characters, or digits. */
    private static long length(ColumnSchema column) {
        String type = column.mysqlType();
        return switch (column.family()) {
            case TEXT, BLOB ->
                type.indexOf('(') < 0
                        ? of(type).bytes
                        : holding(argument(type, 0) * longestCharacter(column.charset())).bytes;
            case JSON, GEOMETRY -> LONG.bytes;
            case ENUM -> members(type).mapToInt(String::length).max().orElse(0);
            case SET -> members(type).collect(Collectors.joining(",")).length();
            case VECTOR -> argument(type, DEFAULT_VECTOR) * BYTES_OF_VECTOR_ELEMENT;
            case DECIMAL ->
                argument(type, 0)
                        + (column.unsigned() ? 0 : 1)
                        + (FRACTION.matcher(type).find() ? 1 : 0);
            default -> argument(type, 0); // without an argument, it is short
        };
    }

    private static Stream<String> members(String mysqlType) {
        return MEMBER.matcher(mysqlType).results().map(member -> member.group(1).replace("''", "'"));
    }

    private static long argument(String mysqlType, long otherwise) {
        Matcher argument = ARGUMENT.matcher(mysqlType);
        return argument.find() ? Long.parseLong(argument.group(1)) : otherwise;
    }

    private static int longestCharacter(@Nullable String charset) {
        return charset == null ? 1 : MySqlCharsets.longestCharacter(charset);
    }
}
