package io.sluice.stream.differential;

import io.sluice.stream.source.ColumnSpelling;
import java.util.Locale;

/** One spelling of a column's type for the client's, which is delivered, and that of {@code information_schema}. */
final class TypeSpelling {
    private TypeSpelling() {}

    static String of(String type, boolean mariaDb) {
        String spelling = ColumnSpelling.of(type, mariaDb);
        if (isOfMembers(spelling)) {
            return spelling.replaceAll(" +'(?=[,)])", "'");
        }
        spelling = spelling.replaceAll(" compressed.*", "").strip();
        String attributes =
                (spelling.contains("unsigned") ? " unsigned" : "") + (spelling.contains("zerofill") ? " zerofill" : "");
        String base = spelling.replaceAll(" (unsigned|zerofill|signed)", "");
        int parenthesis = base.indexOf('(');
        String word =
                parenthesis < 0 ? base.strip() : base.substring(0, parenthesis).strip();
        String arguments = parenthesis < 0 ? "" : base.substring(parenthesis).replaceAll("\\s", "");
        return standard(word, arguments) + attributes;
    }

    private static String standard(String word, String arguments) {
        return switch (word) {
            case "int1" -> "tinyint";
            case "int2" -> "smallint";
            case "int3", "middleint" -> "mediumint";
            case "int4" -> "int";
            case "int8" -> "bigint";
            case "float", "float4" -> "float";
            case "double", "float8" -> "double";
            case "geomcollection" -> "geometrycollection";
            case "datetime", "timestamp", "time" -> word + (arguments.equals("(0)") ? "" : arguments);
            case "tinytext",
                    "text",
                    "mediumtext",
                    "longtext",
                    "tinyblob",
                    "blob",
                    "mediumblob",
                    "longblob",
                    "long",
                    "long varchar",
                    "long char varying",
                    "long character varying",
                    "long varbinary",
                    "clob" -> "lob";
            case "char", "binary", "nchar", "national char", "national character", "character" ->
                "char" + (arguments.isEmpty() ? "(1)" : arguments);
            case "varchar",
                    "varbinary",
                    "varcharacter",
                    "char varying",
                    "character varying",
                    "nvarchar",
                    "nchar varchar",
                    "nchar varying",
                    "nchar varcharacter",
                    "national varchar",
                    "national varcharacter",
                    "national char varying",
                    "national character varying",
                    "varchar2",
                    "raw" -> "varchar" + arguments;
            case "number" ->
                arguments.isEmpty()
                        ? "double"
                        : "decimal" + (arguments.contains(",") ? arguments : arguments.replace(")", ",0)"));
            case "vector" -> "vector" + (arguments.isEmpty() ? "(2048)" : arguments);
            default -> word + arguments;
        };
    }

    /** Whether both name the same type. */
    static boolean isSame(String delivered, String server, boolean mariaDb) {
        String ours = of(delivered, mariaDb);
        String theirs = of(server, mariaDb);
        return ours.equals(theirs)
                || ours.equals("real") && (theirs.equals("float") || theirs.equals("double"))
                || isOfMembers(ours) && hasSameMembers(ours, theirs);
    }

    private static boolean isOfMembers(String spelling) {
        return spelling.startsWith("enum") || spelling.startsWith("set");
    }

    /** A server shows members of some character sets with zeros and question marks; they are equal as far as they can be. */
    private static boolean hasSameMembers(String ours, String theirs) {
        String[] delivered = ours.replace("\\\\", "\\").split(",", -1);
        String[] shown = theirs.replace("\\\\", "\\").split(",", -1);
        boolean broken =
                theirs.contains("\0") || theirs.contains("?") || theirs.contains("\\0") || theirs.contains("''");
        return broken
                ? ours.split("\\(", 2)[0].equals(theirs.split("\\(", 2)[0])
                : String.join(",", delivered).equals(String.join(",", shown));
    }

    /**
     * The type of JDBC that is delivered for a type.
     *
     * @return null if it is not of interest
     */
    static String jdbcType(String type, boolean isNull) {
        String word = type.toLowerCase(Locale.ROOT).split("[^a-z0-9]", 2)[0];
        return switch (word) {
            case "char", "uuid", "inet4", "inet6" -> "1";
            case "varchar", "year" -> "12";
            case "tinytext", "text", "mediumtext", "longtext" -> "2005";
            case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> "2004";
            case "date" -> "91";
            case "time" -> "92";
            case "datetime", "timestamp" -> "93";
            case "float" -> "7";
            case "double" -> "8";
            case "decimal" -> "3";
            case "bit" -> "-7";
            case "enum" -> "4";
            case "set" -> isNull ? "2004" : "-7";
            case "json" -> isNull ? "1111" : "12";
            default -> null;
        };
    }
}
