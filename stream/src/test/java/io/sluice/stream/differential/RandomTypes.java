package io.sluice.stream.differential;

/** Types of columns in all spellings that a server accepts. */
final class RandomTypes {
    private final Scene scene;
    private final Dice dice;
    private final RandomTexts texts;
    private final RandomCharsets charsets;

    RandomTypes(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        texts = new RandomTexts(scene);
        charsets = new RandomCharsets(scene);
    }

    String type() {
        return switch (dice.below(14)) {
            case 0, 1 -> integer();
            case 2 -> fraction();
            case 3, 4 -> time();
            case 5, 6, 7 -> characters();
            case 8 -> text();
            case 9 -> bytes();
            case 10 -> members();
            case 11 -> structured();
            case 12 -> scene.mariaDb() ? ofMariaDb() : ofMySql();
            default -> dice.oneOf("int", "varchar(20)", "bigint unsigned", "datetime(3)", "text", "decimal(9,3)");
        };
    }

    private String integer() {
        String sign = dice.oneOf("", "", " unsigned", " UNSIGNED", " zerofill", " unsigned zerofill", " signed");
        return switch (dice.below(8)) {
            case 0, 1 -> dice.oneOf("int", "INT", "integer", "INT4", "int(10)", "INT ( 5 )") + sign;
            case 2 -> dice.oneOf("bigint", "BIGINT(20)", "int8") + sign;
            case 3 -> dice.oneOf("tinyint", "TINYINT(1)", "INT1", "tinyint(4)") + sign;
            case 4 -> dice.oneOf("smallint", "INT2", "smallint(6)") + sign;
            case 5 -> dice.oneOf("mediumint", "INT3", "middleint", "mediumint(9)") + sign;
            case 6 ->
                dice.oneOf("bit", "bit(1)", "bit(7)", "BIT(8)", "bit(9)", "bit(17)", "bit(33)", "bit(63)", "bit(64)");
            default -> dice.oneOf("bool", "boolean", "BOOL", "BOOL", dice.percent(20) ? "serial" : "int");
        };
    }

    private String fraction() {
        String sign = dice.oneOf("", "", " unsigned", " zerofill");
        return switch (dice.below(4)) {
            case 0, 1 ->
                dice.oneOf("decimal", "dec", "numeric", "fixed")
                        + dice.oneOf("", "(5)", "(10,2)", "( 65 , 30 )", "(9,9)", "(20,10)", "(1,0)", "(38,18)")
                        + sign;
            case 2 ->
                dice.oneOf(
                                "float",
                                "float4",
                                "float4(25)",
                                "FLOAT(7,3)",
                                "float(10)",
                                "float(24)",
                                "float(25)",
                                "float(53)",
                                "FLOAT(53)")
                        + sign;
            default ->
                dice.oneOf(
                                "double",
                                "double precision",
                                "DOUBLE(9,2)",
                                "float8",
                                "real",
                                "real(8,1)",
                                "double precision(7,3)")
                        + sign;
        };
    }

    private String time() {
        String digits = dice.oneOf("", "", "(0)", "(1)", "(2)", "(3)", "(4)", "(5)", "(6)");
        return switch (dice.below(8)) {
            case 0 -> "date";
            case 1, 2 -> dice.oneOf("datetime", "DATETIME") + digits;
            case 3, 4 ->
                dice.oneOf("timestamp", "TIMESTAMP")
                        + digits
                        + dice.oneOf("", " null", " not null", " null default null");
            case 5, 6 -> dice.oneOf("time", "TIME") + digits;
            default -> dice.oneOf("year", "YEAR", "year(4)");
        };
    }

    private String characters() {
        return switch (dice.below(10)) {
            case 0, 1, 2 ->
                dice.oneOf("char", "char(1)", "char(7)", "character(9)", "CHAR(60)", "char(0)", "char(255)")
                        + charsets.ofColumn();
            case 3 ->
                dice.oneOf(
                                "nchar(4)",
                                "national char(5)",
                                "nvarchar(5)",
                                "national varchar(6)",
                                "nchar varchar(7)",
                                "nchar varying(8)",
                                "national character varying(9)",
                                "national char varying(4)",
                                "national character(3)",
                                "NCHAR")
                        + dice.oneOf("", "", "", " binary");
            default ->
                dice.oneOf(
                                "varchar(1)",
                                "varchar(30)",
                                "character varying(12)",
                                "VARCHAR(255)",
                                "varchar(256)",
                                "varchar(300)",
                                "varcharacter(8)",
                                "char varying(5)",
                                "varchar(0)")
                        + charsets.ofColumn();
        };
    }

    private String text() {
        return dice.oneOf(
                        "tinytext",
                        "text",
                        "mediumtext",
                        "longtext",
                        "text(10)",
                        "text(64)",
                        "text(255)",
                        "text(256)",
                        "TEXT(70000)",
                        "long",
                        "long varchar",
                        "long char varying",
                        "text(16383)",
                        "text ( 20 )")
                + charsets.ofColumn();
    }

    private String bytes() {
        return dice.oneOf(
                "binary",
                "binary(4)",
                "BINARY(16)",
                "binary(255)",
                "binary(0)",
                "varbinary(1)",
                "varbinary(9)",
                "varbinary(300)",
                "varbinary(0)",
                "tinyblob",
                "blob",
                "mediumblob",
                "longblob",
                "blob(10)",
                "blob(256)",
                "BLOB(70000)",
                "long varbinary");
    }

    private String members() {
        return (dice.percent(55)
                        ? dice.oneOf("enum", "ENUM", "enum ") + texts.enumMembers()
                        : dice.oneOf("set", "SET", "set ") + texts.setMembers())
                + charsets.ofColumn();
    }

    private String structured() {
        if (dice.percent(60)) {
            return "json";
        }
        return dice.oneOf(
                        "geometry",
                        "point",
                        "linestring",
                        "polygon",
                        "multipoint",
                        "multilinestring",
                        "multipolygon",
                        "geometrycollection")
                + (scene.dialect().isMySqlFrom(80_000) && dice.percent(25)
                        ? " srid " + dice.oneOf("0", "4326")
                        : scene.mariaDb() && dice.percent(10) ? " ref_system_id=4326" : "");
    }

    private String ofMariaDb() {
        return dice.oneOf(
                "uuid",
                "UUID",
                "inet6",
                "inet4",
                "text compressed",
                "varchar(100) compressed",
                "blob compressed",
                "varbinary(50) compressed=zlib",
                "longtext compressed",
                "varchar(300) character set gbk compressed",
                "number(5)",
                "varchar2(9)",
                "clob",
                "raw(4)",
                "mariadb_schema.date",
                scene.dialect().isMariaDbFrom(110_700) ? "vector(3)" : "int",
                scene.dialect().isMariaDbFrom(110_700) ? "vector(1)" : "int");
    }

    private String ofMySql() {
        if (scene.dialect().isMySqlFrom(90_000) && dice.percent(40)) {
            return dice.oneOf("vector(3)", "vector", "VECTOR(2)");
        }
        return scene.dialect().isMySqlFrom(80_000) ? dice.oneOf("geomcollection", "json") : "int";
    }
}
