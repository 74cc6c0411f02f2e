package io.sluice.mysql.binlog;

/** The type codes of columns in table maps. Source: MySQL's internals documentation, "Column types", and MariaDB's. */
public final class ColumnCode {
    public static final int TINY = 1;
    public static final int SHORT = 2;
    public static final int LONG = 3;
    public static final int FLOAT = 4;
    public static final int DOUBLE = 5;
    public static final int NULL = 6;
    public static final int TIMESTAMP = 7;
    public static final int LONGLONG = 8;
    public static final int INT24 = 9;
    public static final int DATE = 10;
    public static final int TIME = 11;
    public static final int DATETIME = 12;
    public static final int YEAR = 13;
    public static final int NEWDATE = 14;
    public static final int VARCHAR = 15;
    public static final int BIT = 16;
    public static final int TIMESTAMP2 = 17;
    public static final int DATETIME2 = 18;
    public static final int TIME2 = 19;

    /** Of an array in which MySQL keeps the values of a multi-valued index: in no definition of a table, and in no row image. */
    public static final int TYPED_ARRAY = 20;

    public static final int MARIADB_BLOB_COMPRESSED = 140;
    public static final int MARIADB_VARCHAR_COMPRESSED = 141;
    public static final int VECTOR = 242;

    /** {@link #TYPED_ARRAY} of MySQL 8.0.17. */
    static final int FIRST_TYPED_ARRAY = 244;

    public static final int JSON = 245;
    public static final int NEWDECIMAL = 246;
    public static final int ENUM = 247;
    public static final int SET = 248;
    public static final int TINY_BLOB = 249;
    public static final int MEDIUM_BLOB = 250;
    public static final int LONG_BLOB = 251;
    public static final int BLOB = 252;
    public static final int VAR_STRING = 253;
    public static final int STRING = 254;
    public static final int GEOMETRY = 255;

    private ColumnCode() {}

    /** Whether it is the code of the types {@code BLOB} and {@code TEXT}, of any length, compressed by MariaDB or not. */
    public static boolean isBlob(int code) {
        return switch (code) {
            case TINY_BLOB, MEDIUM_BLOB, LONG_BLOB, BLOB, MARIADB_BLOB_COMPRESSED -> true;
            default -> false;
        };
    }

    /** Whether a table map has a bit of signedness for columns of this type. */
    static boolean isNumeric(int code) {
        return switch (code) {
            case TINY, SHORT, INT24, LONG, LONGLONG, NEWDECIMAL, FLOAT, DOUBLE, YEAR -> true;
            default -> false;
        };
    }

    /** Whether a table map has a collation for columns of this type; MariaDB's has one for geometries, too. */
    static boolean isCharacter(int code, boolean mariaDb) {
        return switch (code) {
            case STRING,
                    VAR_STRING,
                    VARCHAR,
                    TINY_BLOB,
                    MEDIUM_BLOB,
                    LONG_BLOB,
                    BLOB,
                    VECTOR,
                    MARIADB_BLOB_COMPRESSED,
                    MARIADB_VARCHAR_COMPRESSED -> true;
            case GEOMETRY -> mariaDb;
            default -> false;
        };
    }
}
