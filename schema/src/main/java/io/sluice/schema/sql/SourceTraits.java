package io.sluice.schema.sql;

/**
 * The properties of a server on which the syntax of its statements depends.
 *
 * @param mariaDb whether it is MariaDB, which has executable comments of its own
 * @param version the version as in executable comments: 80031 for 8.0.31, 101118 for MariaDB 10.11.18
 * @param foldsNames whether table and schema names are the same in any case ({@code lower_case_table_names} is not 0)
 */
public record SourceTraits(boolean mariaDb, int version, boolean foldsNames) {
    /** MySQL 8.0.31 with names in the case in which they were written. */
    public static final SourceTraits DEFAULT = new SourceTraits(false, 80031, false);

    /**
     * Whether six digits after {@code /*!} are a version: on MariaDB, and on MySQL since 8.1 if a blank follows. Otherwise the first five are one.
     *
     * @param isBlankNext whether a blank, or nothing, follows
     */
    boolean readsSixDigits(boolean isBlankNext) {
        return mariaDb || version >= 80100 && isBlankNext;
    }

    /**
     * Whether the server runs what is in {@code /*!version ...}.
     *
     * @param isOfMariaDb whether it is {@code /*M!version ...}
     */
    boolean runsComment(int commentVersion, boolean isOfMariaDb) {
        if (mariaDb && !isOfMariaDb && commentVersion >= 50700 && commentVersion <= 99999) {
            return false; // these are meant for MySQL 5.7 and later only
        }
        return commentVersion <= version;
    }

    /** Whether its table maps state the character set of every text, as those of MySQL do since 8.0.1; those of MariaDB do if it is configured to. */
    public boolean statesCharsets() {
        return !mariaDb && version >= 80001;
    }

    /** Whether {@code sql_mode=ORACLE} changes the meaning of types: on MariaDB since 10.3; on MySQL it never did. */
    boolean hasOracleTypes() {
        return mariaDb;
    }

    /**
     * Whether {@code FIRST} puts a column after a generated invisible primary key, as MySQL has them since 8.0.30, whatever the session's {@code
     * sql_generate_invisible_primary_key} is.
     */
    public boolean keepsGeneratedKeyFirst() {
        return !mariaDb && version >= 80030;
    }

    /**
     * Whether {@code CONVERT TO CHARACTER SET} gives a TEXT or BLOB that the same statement redefines the size that the
     * column's former type needs: MySQL 8.0 and later, not MySQL 5.7 and not MariaDB.
     */
    public boolean sizesConvertedTextByFormerType() {
        return !mariaDb && version >= 80000;
    }
}
