package io.sluice.stream.differential;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/** Values of all types, often at a limit of the type, as they are written in a statement. */
final class RandomValues {
    private static final List<String> TEXTS = List.of(
            "",
            "a",
            "abc",
            "it's",
            "d\"q",
            "b\\s",
            "甲乙",
            "表ソ",
            "éÿ",
            "trailing  ",
            " lead",
            "nul\u0000x",
            "line\nbreak\r\t",
            "😀😁",
            "Ж",
            "한글",
            "€",
            "<a&b>",
            "\u007f",
            "\u2028",
            "ı",
            "0",
            "12",
            "\u0001\u001f",
            "ÄÖÜ",
            "x".repeat(30),
            "長".repeat(20),
            "y".repeat(260));
    private static final List<String> JSON_VALUES = List.of(
            "1",
            "-1",
            "0",
            "true",
            "false",
            "null",
            "1.5",
            "-0.0",
            "1e100",
            "123456789012345678",
            "18446744073709551615",
            "\"x\"",
            "\"甲\"",
            "\"q\\\"\\\\ \\n\"",
            "\"\"",
            "\"😀\"",
            "3.14159265358979",
            "1e-7",
            "100000000.0",
            "65536",
            "-32769",
            "2147483648",
            "\"" + "z".repeat(200) + "\"");
    private static final int MAX_JSON_DEPTH = 2;
    private static final int DEFAULT_VECTOR = 3;

    private final Scene scene;
    private final Dice dice;
    private final RandomTexts texts;

    RandomValues(Scene scene) {
        this.scene = scene;
        dice = scene.dice();
        texts = new RandomTexts(scene);
    }

    /** A value for a column. */
    String value(ColumnState column) {
        if (dice.percent(10)) {
            return "null";
        }
        String type = column.type().toLowerCase(Locale.ROOT);
        String word = type.split("[^a-z0-9]", 2)[0];
        return switch (column.kind()) {
            case INTEGER, ZEROFILL -> integer(word, type.contains("unsigned"));
            case DECIMAL ->
                dice.oneOf(
                        "0",
                        "1",
                        "-1",
                        "1.10",
                        "-0.05",
                        "123456789.987654321",
                        "9".repeat(35) + "." + "9".repeat(30),
                        "-99999999999999999999",
                        "0.000000001",
                        "0.5");
            case FLOAT ->
                dice.oneOf(
                        "0",
                        "1.1",
                        "-3.4028234e38",
                        "1e-38",
                        "16777217",
                        "0.1",
                        "1e10",
                        "-0.0",
                        "1.17549e-39",
                        "123456.789");
            case DOUBLE ->
                dice.oneOf(
                        "0",
                        "1.1",
                        "1.7976931348623157e308",
                        "5e-324",
                        "-2.5",
                        "0.1",
                        "1e22",
                        "-0.0",
                        "123456789.123456789",
                        "1e7");
            case BIT -> dice.oneOf("b'0'", "b'1'", "b'101'", "b'" + "1".repeat(64) + "'", "5");
            case MEMBERS ->
                word.equals("enum")
                        ? dice.oneOf("1", "1", "2", "3", "''")
                        : dice.oneOf("0", "1", "2", "3", "5", "7", "18446744073709551615");
            case TEMPORAL -> time(word);
            case JSON -> json();
            case GEOMETRY -> geometry(word);
            case VECTOR -> vector(type);
            case FIXED_BYTES, BYTES -> dice.percent(90) ? bytes() : "'abc'";
            case TEXT -> text(word);
        };
    }

    private String integer(String word, boolean unsigned) {
        int bits = switch (word) {
            case "tinyint" -> 8;
            case "smallint" -> 16;
            case "mediumint" -> 24;
            case "bigint" -> 64;
            default -> 32;
        };
        String most = Long.toUnsignedString(unsigned ? -1L >>> 64 - bits : (1L << bits - 1) - 1);
        return dice.oneOf(
                "0",
                "1",
                most,
                unsigned ? "128" : "-1",
                Integer.toString(dice.below(99)),
                unsigned ? most : "-" + most);
    }

    private String time(String word) {
        return switch (word) {
            case "date" ->
                dice.oneOf(
                        "'2024-02-29'",
                        "'0000-00-00'",
                        "'1000-01-01'",
                        "'9999-12-31'",
                        "'2024-00-00'",
                        "'2024-05-00'",
                        "'0001-01-01'");
            case "datetime" ->
                dice.oneOf(
                        "'2024-02-29 10:00:00'",
                        "'0000-00-00 00:00:00'",
                        "'1000-01-01 00:00:00.000001'",
                        "'9999-12-31 23:59:59.499999'",
                        "'2024-05-00 01:02:03.5'",
                        "'2024-01-02 03:04:05.123456'");
            case "timestamp" ->
                dice.oneOf(
                        "'2024-02-29 10:00:00'",
                        "'0000-00-00 00:00:00'",
                        "'1971-01-01 00:00:01.000001'",
                        "'2037-01-18 03:14:07.499999'",
                        "'2024-01-02 03:04:05.123456'");
            case "time" ->
                dice.oneOf(
                        "'00:00:00'",
                        "'-838:59:59'",
                        "'838:59:59'",
                        "'-00:00:00.000001'",
                        "'-00:00:01.5'",
                        "'12:34:56.789012'",
                        "'100:00:00'",
                        "'-01:02:03.999999'");
            default -> dice.oneOf("0", "1901", "2155", "2024", "'0000'");
        };
    }

    private String json() {
        if (scene.dialect().isMySqlFrom(50_700) && dice.percent(20)) {
            return dice.oneOf(
                    "json_object('d', cast('2024-01-02' as date), 't', cast('10:11:12.5' as time(3)), 'dt',"
                            + " cast('2024-01-02 03:04:05.6' as datetime(6)), 'n', cast(1.50 as decimal(9,3)))",
                    "json_array(cast(1.10 as decimal(5,2)), true, 1e0, 18446744073709551615)");
        }
        return texts.plainLiteral(jsonText(0));
    }

    private String jsonText(int depth) {
        if (depth > MAX_JSON_DEPTH || dice.percent(40)) {
            return dice.oneOf(JSON_VALUES);
        }
        boolean array = dice.percent(50);
        StringJoiner all = new StringJoiner(",", array ? "[" : "{", array ? "]" : "}");
        Set<String> names = new LinkedHashSet<>();
        for (int i = dice.below(4); i > 0; i--) {
            String name = dice.oneOf("a", "b", "列", "k\\\"q", "", "longer key", "z");
            if (array || names.add(name)) {
                all.add((array ? "" : "\"" + name + "\":") + jsonText(depth + 1));
            }
        }
        return all.toString();
    }

    /** A change of a part of a document. */
    String jsonChange(ColumnState column) {
        String name = Identifiers.quoted(column.name());
        return dice.oneOf(
                "json_set(" + name + ", '$.a', " + dice.below(9) + ")",
                "json_remove(" + name + ", '$.b')",
                "json_replace(" + name + ", '$.a', 'new', '$.b', 2)",
                "json_set(" + name + ", '$.列', json_array(1,2))",
                "json_set(" + name + ", '$[0]', 5)",
                "json_array_insert(" + name + ", '$[0]', 1)",
                "json_set(" + name + ", '$.z', cast(1.50 as decimal(9,2)))",
                "json_set(" + name + ", '$.\"longer key\"', null)",
                "json_remove(" + name + ", '$[0]')");
    }

    private String geometry(String word) {
        return "st_geomfromtext('"
                + switch (word) {
                    case "linestring" -> "LINESTRING(0 0,1 1," + dice.below(9) + " 2)";
                    case "polygon" -> "POLYGON((0 0,1 1,1 0,0 0))";
                    case "multipoint" -> "MULTIPOINT(0 0,1 " + dice.below(9) + ")";
                    case "multilinestring" -> "MULTILINESTRING((0 0,1 1),(2 2,3 3))";
                    case "multipolygon" -> "MULTIPOLYGON(((0 0,1 1,1 0,0 0)))";
                    case "geometrycollection", "geomcollection" -> "GEOMETRYCOLLECTION(POINT(1 1),LINESTRING(0 0,1 1))";
                    default -> "POINT(" + dice.below(9) + " 2)";
                }
                + "')";
    }

    private String vector(String type) {
        int dimensions = type.contains("(") ? Integer.parseInt(type.replaceAll("\\D", "")) : DEFAULT_VECTOR;
        if (!scene.mariaDb()) {
            dimensions = 1 + dice.below(Math.min(dimensions, DEFAULT_VECTOR));
        }
        StringJoiner numbers = new StringJoiner(",", "'[", "]'");
        for (int i = 0; i < dimensions; i++) {
            numbers.add(dice.oneOf("1", "0", "-2.5", "1e10", "0.1"));
        }
        return (scene.mariaDb() ? "vec_fromtext(" : "string_to_vector(") + numbers + ")";
    }

    private String bytes() {
        byte[] bytes = dice.bytes(dice.oneOf(0, 1, 3, 4, 9, 16, 40));
        if (dice.percent(40)) {
            for (int i = bytes.length / 2; i < bytes.length; i++) {
                bytes[i] = dice.oneOf((byte) 0, (byte) ' ', (byte) 0);
            }
        }
        return "x'" + HexFormat.of().formatHex(bytes) + "'";
    }

    private String text(String word) {
        return switch (word) {
            case "uuid" ->
                dice.oneOf(
                        "uuid()",
                        "'00000000-0000-0000-0000-000000000000'",
                        "'ffffffff-ffff-ffff-ffff-ffffffffffff'",
                        "'12345678-9abc-1def-8012-345678900000'");
            case "inet6" ->
                dice.oneOf("'::'", "'::1'", "'2001:db8::ff00:42:8329'", "'::ffff:1.2.3.4'", "'1::'", "'ffff::'");
            case "inet4" -> dice.oneOf("'0.0.0.0'", "'255.255.255.255'", "'10.0.0.0'", "'1.2.3.32'");
            case "longtext" -> scene.mariaDb() && dice.percent(30) ? texts.plainLiteral(jsonText(0)) : anyText();
            default -> anyText();
        };
    }

    private String anyText() {
        return "_utf8mb4 x'" + HexFormat.of().formatHex(dice.oneOf(TEXTS).getBytes(StandardCharsets.UTF_8)) + "'";
    }
}
