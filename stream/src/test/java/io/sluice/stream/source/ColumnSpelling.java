package io.sluice.stream.source;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One spelling for all the spellings of a column's type. */
public final class ColumnSpelling {
    private static final Pattern TYPE = Pattern.compile("([a-z0-9 ]+?)\\s*(\\(.*\\))?((?: unsigned| zerofill)*)");

    private ColumnSpelling() {}

    public static String of(String mysqlType, boolean mariaDb) {
        String lower =
                lowerOutsideQuotes(mysqlType).replaceAll(" /\\*.*?\\*/", "").strip();
        Matcher matcher = TYPE.matcher(lower);
        if (!matcher.matches()) {
            return lower;
        }
        String arguments = matcher.group(2) == null ? "" : matcher.group(2);
        String attributes = matcher.group(3);
        if (attributes.contains("zerofill") && !attributes.contains("unsigned")) {
            attributes = " unsigned" + attributes;
        }
        String word = matcher.group(1);
        switch (word) {
            case "serial" -> {
                return "bigint unsigned";
            }
            case "integer", "int", "bigint", "smallint", "mediumint", "tinyint", "bool", "boolean" -> {
                arguments = "";
                word = word.equals("integer") ? "int" : word.startsWith("bool") ? "tinyint" : word;
            }
            case "decimal", "dec", "numeric", "fixed" -> {
                word = "decimal";
                arguments = arguments.isEmpty()
                        ? "(10,0)"
                        : arguments.contains(",") ? arguments : arguments.replace(")", ",0)");
            }
            case "double precision", "real", "double" -> {
                word = "double";
                arguments = "";
            }
            case "character", "nchar", "char", "binary", "bit" -> {
                word = word.endsWith("char") || word.equals("character") ? "char" : word;
                arguments = arguments.isEmpty() ? "(1)" : arguments;
            }
            case "character varying", "nvarchar", "national varchar", "char varying" -> word = "varchar";
            case "year" -> arguments = "";
            case "json" -> word = mariaDb ? "longtext" : word;
            default -> {
                // has one spelling only
            }
        }
        return word + arguments + attributes;
    }

    private static String lowerOutsideQuotes(String type) {
        int quote = type.indexOf('\'');
        return quote < 0
                ? type.toLowerCase(Locale.ROOT)
                : type.substring(0, quote).toLowerCase(Locale.ROOT) + type.substring(quote);
    }
}
