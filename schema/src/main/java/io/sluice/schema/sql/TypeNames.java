package io.sluice.schema.sql;

import java.util.Locale;

/** What names of types mean to a server in the SQL mode of a session. Immutable. */
public final class TypeNames {
    private final boolean oracle;
    private final boolean maxDb;

    TypeNames(SourceTraits source, SqlMode mode) {
        this.oracle = source.hasOracleTypes() && mode.oracle();
        this.maxDb = mode.maxDb() && !oracle; // Oracle's win
    }

    /**
     * The type's usual name.
     *
     * @param qualifier what is before a dot, as in {@code mariadb_schema.date}; empty if there is none
     * @param name the name as written, which is returned if it has its usual meaning
     * @param sized whether a length or precision follows
     */
    public String usual(String qualifier, String name, boolean sized) {
        String word = name.toUpperCase(Locale.ROOT);
        boolean isQualified = !qualifier.isEmpty();
        return switch (word) {
            case "DATE" -> isOf("oracle_schema", qualifier) || oracle && !isQualified ? "datetime" : name;
            case "TIMESTAMP" -> isOf("maxdb_schema", qualifier) || maxDb && !isQualified ? "datetime" : name;
            case "BLOB" -> oracle && !sized ? "longblob" : name;
            case "CLOB" -> oracle ? "longtext" : name;
            case "NUMBER" -> oracle ? (sized ? "decimal" : "double") : name;
            case "VARCHAR2" -> oracle ? "varchar" : name;
            case "RAW" -> oracle ? "varbinary" : name;
            default -> name;
        };
    }

    private static boolean isOf(String schema, String qualifier) {
        return schema.equalsIgnoreCase(qualifier);
    }
}
