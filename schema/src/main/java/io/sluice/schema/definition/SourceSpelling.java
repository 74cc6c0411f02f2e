package io.sluice.schema.definition;

import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableSchema;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Spells the types of columns as a server does in {@code SHOW CREATE TABLE}, whatever the spelling in a statement. Immutable. */
public final class SourceSpelling {
    /** Words, arguments without quotes, and signs. */
    private static final Pattern TYPE = Pattern.compile("([a-z0-9_ ]+?)(\\([^()']*\\))?( unsigned)?( zerofill)?");

    private final SourceTraits source;

    public SourceSpelling(SourceTraits source) {
        this.source = source;
    }

    /** The table with the types in that spelling; the same object if they are. */
    public TableSchema of(TableSchema table) {
        List<ColumnSchema> columns = table.columns().stream().map(this::of).toList();
        return columns.equals(table.columns()) ? table : new TableSchema(table.name(), columns, table.defaultCharset());
    }

    private ColumnSchema of(ColumnSchema column) {
        String type = type(column);
        return type.equals(column.mysqlType()) ? column : column.withMysqlType(type);
    }

    private String type(ColumnSchema column) {
        String written = column.mysqlType();
        TypeFamily family = column.family();
        if (family == TypeFamily.ENUM || family == TypeFamily.SET) {
            int members = written.indexOf('(');
            return members < 0
                    ? written
                    : written.substring(0, members).strip().toLowerCase(Locale.ROOT) + written.substring(members);
        }
        Matcher parts = TYPE.matcher(written.toLowerCase(Locale.ROOT));
        if (!parts.matches()) {
            return written;
        }
        String arguments = parts.group(2) == null ? "" : parts.group(2);
        boolean isZerofill = parts.group(4) != null;
        String signs = isZerofill ? " unsigned zerofill" : parts.group(3) != null ? " unsigned" : "";
        return spelled(parts.group(1), arguments, signs, column);
    }

    private String spelled(String word, String arguments, String signs, ColumnSchema column) {
        boolean isBinary = "binary".equals(column.charset());
        return switch (word) {
            case "bool", "boolean" -> "tinyint(1)";
            case "serial" -> integer("bigint", "", " unsigned", "(20)");
            case "tinyint", "int1" -> integer("tinyint", arguments, signs, signs.isEmpty() ? "(4)" : "(3)");
            case "smallint", "int2" -> integer("smallint", arguments, signs, signs.isEmpty() ? "(6)" : "(5)");
            case "mediumint", "middleint", "int3" ->
                integer("mediumint", arguments, signs, signs.isEmpty() ? "(9)" : "(8)");
            case "int", "integer", "int4" -> integer("int", arguments, signs, signs.isEmpty() ? "(11)" : "(10)");
            case "bigint", "int8" -> integer("bigint", arguments, signs, "(20)");
            case "decimal", "dec", "numeric", "fixed" -> "decimal" + precision(arguments) + signs;
            case "float", "float4" -> "float" + withScale(arguments) + signs;
            case "double", "double precision", "float8", "real" -> "double" + withScale(arguments) + signs;
            case "bit" -> "bit" + or(arguments, "(1)");
            case "year" -> year(arguments);
            case "timestamp", "datetime", "time" -> word + (arguments.equals("(0)") ? "" : arguments);
            case "char", "character", "nchar", "national char", "national character" ->
                (isBinary ? "binary" : "char") + or(arguments, "(1)");
            case "binary" -> "binary" + or(arguments, "(1)");
            case "varchar",
                    "varcharacter",
                    "char varying",
                    "character varying",
                    "nvarchar",
                    "nchar varchar",
                    "nchar varcharacter",
                    "nchar varying",
                    "national varchar",
                    "national varcharacter",
                    "national char varying",
                    "national character varying" -> (isBinary ? "varbinary" : "varchar") + arguments;
            case "tinytext", "text", "mediumtext", "longtext" -> text(word, arguments, isBinary, column.charset());
            case "long", "long varchar", "long varcharacter", "long char varying", "long character varying" ->
                isBinary ? "mediumblob" : "mediumtext";
            case "long varbinary" -> "mediumblob";
            case "blob" -> text(word, arguments, true, null);
            case "json" -> source.mariaDb() ? "longtext" : word;
            case "geometrycollection", "geomcollection" ->
                source.mariaDb() || source.version() < 80011 ? "geometrycollection" : "geomcollection";
            case "vector" -> word + (source.mariaDb() ? arguments : or(arguments, "(2048)"));
            default -> word + arguments + signs;
        };
    }

    /** MySQL shows widths since 8.0.19 only where they matter: to zeros in front, and for what was declared as {@code BOOL}. */
    private String integer(String word, String arguments, String signs, String usualWidth) {
        boolean isTruth = word.equals("tinyint") && arguments.equals("(1)") && signs.isEmpty();
        boolean isShown = !showsPlainIntegers() || isTruth || signs.endsWith("zerofill");
        String width = arguments.isEmpty() || arguments.equals("(0)") ? usualWidth : arguments;
        return word + (isShown ? width : "") + signs;
    }

    private String year(String arguments) {
        if (showsPlainIntegers()) {
            return "year";
        }
        return "year" + or(arguments, "(4)");
    }

    private boolean showsPlainIntegers() {
        return !source.mariaDb() && source.version() >= 80019;
    }

    private static String precision(String arguments) {
        String digits =
                arguments.isEmpty() || arguments.equals("(0)") || arguments.equals("(0,0)") ? "(10)" : arguments;
        return digits.contains(",") ? digits : digits.replace(")", ",0)");
    }

    /** The precision of {@code FLOAT(p)} has chosen the type. */
    private static String withScale(String arguments) {
        return arguments.contains(",") ? arguments : "";
    }

    private static String text(String word, String arguments, boolean isBinary, @Nullable String charset) {
        String sized = arguments.isEmpty()
                ? word
                : TextSize.ofLength(arguments, charset).resize("text");
        return isBinary ? sized.replace("text", "blob") : sized;
    }

    private static String or(String arguments, String otherwise) {
        return arguments.isEmpty() ? otherwise : arguments;
    }
}
