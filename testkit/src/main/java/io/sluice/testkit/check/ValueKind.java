package io.sluice.testkit.check;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** How the text of a column's values is to be read, so that two texts for one value are known to be equal. */
public enum ValueKind {
    INTEGER,
    /** Filled with zeros by the server, but not in its binlog. */
    ZEROFILL,
    DECIMAL,
    FLOAT,
    DOUBLE,
    BIT,
    /** ENUM and SET, by their number. */
    MEMBERS,
    /** Dates and times, whose texts must be the same to the digit. */
    TEMPORAL,
    TEXT,
    /** Bytes as characters of ISO-8859-1; {@link FixedBytes} decides about the zeros at their end. */
    FIXED_BYTES,
    /** Bytes as characters of ISO-8859-1. */
    BYTES,
    GEOMETRY,
    /** Numbers of single precision, in brackets or as the bytes that the server stores. */
    VECTOR,
    JSON;

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    /** Up to here a double holds every integer, so that one may be written as the other. */
    private static final BigInteger EXACT_IN_DOUBLE = BigInteger.ONE.shiftLeft(53);

    private static final int MAX_BYTES_SHOWN = 64;
    private static final int FLOAT_BITS = 24;

    /** The kind of a type as a statement or {@code information_schema} spells it. */
    public static ValueKind of(String mysqlType) {
        String type = mysqlType.toLowerCase(Locale.ROOT).trim();
        String word = type.split("[^a-z0-9_]", 2)[0];
        return switch (word) {
            case "tinyint",
                    "smallint",
                    "mediumint",
                    "int",
                    "integer",
                    "bigint",
                    "middleint",
                    "int1",
                    "int2",
                    "int3",
                    "int4",
                    "int8",
                    "bool",
                    "boolean",
                    "serial" -> type.contains("zerofill") ? ZEROFILL : INTEGER;
            case "decimal", "dec", "numeric", "fixed" -> DECIMAL;
            case "float", "float4" -> isDoublePrecision(type) ? DOUBLE : FLOAT;
            case "double", "real", "float8" -> DOUBLE;
            case "bit" -> BIT;
            case "enum", "set" -> MEMBERS;
            case "year", "date", "time", "datetime", "timestamp" -> TEMPORAL;
            case "binary" -> FIXED_BYTES;
            case "char", "character" -> type.endsWith(" byte") || type.endsWith("charset binary") ? FIXED_BYTES : TEXT;
            case "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> BYTES;
            case "vector" -> VECTOR;
            case "long" -> type.startsWith("long varbinary") ? BYTES : TEXT;
            case "geometry",
                    "point",
                    "linestring",
                    "polygon",
                    "multipoint",
                    "multilinestring",
                    "multipolygon",
                    "geometrycollection",
                    "geomcollection" -> GEOMETRY;
            case "json" -> JSON;
            default -> TEXT;
        };
    }

    private static boolean isDoublePrecision(String type) {
        String digits = type.replaceAll("^float4?\\s*\\(\\s*(\\d+)\\s*\\).*$", "$1");
        return !digits.equals(type) && Integer.parseInt(digits) > FLOAT_BITS;
    }

    /** One text for all texts that mean the same value. */
    public String canonical(String text) {
        try {
            return switch (this) {
                case INTEGER, BIT, MEMBERS, TEMPORAL, TEXT, FIXED_BYTES, BYTES, GEOMETRY -> text;
                case ZEROFILL -> new BigInteger(text).toString();
                case DECIMAL -> plain(new BigDecimal(text));
                case FLOAT -> Float.toString(Float.parseFloat(text));
                case DOUBLE -> Double.toString(Double.parseDouble(text));
                case VECTOR -> text.startsWith("[") && text.endsWith("]") ? stored(text) : text;
                case JSON -> canonical(MAPPER.readTree(text));
            };
        } catch (NumberFormatException | JsonProcessingException e) {
            return text; // not of its type, and so different from all that is
        }
    }

    /** For people. */
    public String show(String text) {
        return switch (this) {
            case FIXED_BYTES, BYTES, GEOMETRY, VECTOR -> {
                byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
                String hex = HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, MAX_BYTES_SHOWN));
                yield "x'%s'%s"
                        .formatted(hex, bytes.length > MAX_BYTES_SHOWN ? "... of " + bytes.length + " bytes" : "");
            }
            default -> text;
        };
    }

    private static String stored(String vector) {
        String numbers = vector.substring(1, vector.length() - 1);
        String[] all = numbers.isBlank() ? new String[0] : numbers.split(",", -1);
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * all.length).order(ByteOrder.LITTLE_ENDIAN);
        for (String number : all) {
            bytes.putFloat(Float.parseFloat(number.strip()));
        }
        return new String(bytes.array(), StandardCharsets.ISO_8859_1);
    }

    private static String plain(BigDecimal number) {
        return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }

    private static String canonical(JsonNode node) {
        if (node.isObject()) {
            TreeMap<String, String> members = new TreeMap<>();
            node.properties().forEach(e -> members.put(e.getKey(), canonical(e.getValue())));
            return members.toString();
        }
        if (node.isArray()) {
            return StreamSupport.stream(node.spliterator(), false)
                    .map(ValueKind::canonical)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        if (node.isNumber()) {
            return canonicalNumber(node);
        }
        return node.toString();
    }

    /** Numbers beyond what a double holds exactly are compared as doubles if one was written with a fraction. */
    private static String canonicalNumber(JsonNode node) {
        BigDecimal number = node.decimalValue();
        boolean isWhole = number.signum() == 0 || number.stripTrailingZeros().scale() <= 0;
        if (node.isIntegralNumber()) {
            return number.toBigInteger().toString();
        }
        if (isWhole && number.abs().compareTo(new BigDecimal(EXACT_IN_DOUBLE)) <= 0) {
            return number.toBigInteger().toString();
        }
        return Double.toString(number.doubleValue());
    }
}
