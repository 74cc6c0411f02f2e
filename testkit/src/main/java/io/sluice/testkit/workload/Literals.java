package io.sluice.testkit.workload;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Random;

/** Makes values of all types, as they are written in a statement; the bounds of a type come more often than by chance. */
final class Literals {
    private static final int BORDER_ONE_IN = 6;
    private static final String ASCII =
            "abcdefghijklmnopqrstuvwxyz ABCXYZ 0123456789 .,;:-_#%&/()[]{}\"'\\\n\t\r\u0001\u007f";
    private static final String LATIN1 = ASCII + "éèüßÿ£€ñåØ";
    private static final String GBK = ASCII + "中文字符繁體流水改";
    private static final String UNICODE = GBK + "éßñ√∑Ωя日本語한국어🙂🚀𝄞\u2028\u0085\u00a0";

    private final Random random;

    Literals(Random random) {
        this.random = random;
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    /** An integer of so many bytes. */
    String integer(int bytes, boolean unsigned) {
        BigInteger range = BigInteger.ONE.shiftLeft(bytes * 8);
        BigInteger low = unsigned ? BigInteger.ZERO : range.shiftRight(1).negate();
        BigInteger high = low.add(range).subtract(BigInteger.ONE);
        if (oneIn(BORDER_ONE_IN)) {
            return pick(
                    low.toString(),
                    high.toString(),
                    "0",
                    "1",
                    unsigned ? range.shiftRight(1).toString() : "-1");
        }
        return new BigInteger(bytes * 8, random).add(low).toString();
    }

    String decimal(int precision, int scale, boolean unsigned) {
        int whole = precision - scale;
        String sign = unsigned || random.nextBoolean() ? "" : "-";
        if (oneIn(BORDER_ONE_IN)) {
            String nines = "9".repeat(whole) + (scale == 0 ? "" : "." + "9".repeat(scale));
            return pick("0", whole == 0 ? "0" : sign + "1", sign + nines);
        }
        String digits = digits(random.nextInt(whole + 1));
        String left = digits.isEmpty() ? "0" : digits;
        return sign + (scale == 0 ? left : left + "." + digits(1 + random.nextInt(scale)));
    }

    String floating() {
        if (oneIn(BORDER_ONE_IN)) {
            return pick("0", "1", "-1", "0.1", "3.4028234E38", "-3.4028234E38", "1.17549435E-38", "16777216");
        }
        return Float.toString((float) (random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10)));
    }

    String doubling() {
        if (oneIn(BORDER_ONE_IN)) {
            return pick(
                    "0",
                    "1e0",
                    "0.001e0",
                    "1e7",
                    "1.7976931348623157E308",
                    "-1.7976931348623157E308",
                    "2.2250738585072014E-308");
        }
        return Double.toString(random.nextGaussian() * Math.pow(10, random.nextInt(200) - 100));
    }

    String bit(int bits) {
        if (oneIn(BORDER_ONE_IN)) {
            return pick("b'0'", "b'1'", "b'" + "1".repeat(bits) + "'");
        }
        return "b'" + new BigInteger(bits, random).toString(2) + "'";
    }

    String year() {
        return pick("1901", "2155", "2025", "'0000'", Integer.toString(1901 + random.nextInt(255)));
    }

    String date() {
        if (oneIn(BORDER_ONE_IN)) {
            return pick("'0000-00-00'", "'1000-01-01'", "'9999-12-31'", "'2024-02-29'", "'2023-05-00'", "'2023-00-00'");
        }
        return quote(LocalDateTime.ofEpochSecond(seconds(-30_000_000_000L, 200_000_000_000L), 0, ZoneOffset.UTC)
                .toLocalDate()
                .toString());
    }

    String time(int fraction) {
        if (oneIn(BORDER_ONE_IN)) {
            return pick("'-838:59:59'", "'838:59:59'", "'00:00:00'", "'-00:00:01" + fractionOf(fraction) + "'");
        }
        String sign = random.nextBoolean() ? "-" : "";
        return "'%s%02d:%02d:%02d%s'"
                .formatted(sign, random.nextInt(838), random.nextInt(60), random.nextInt(60), fractionOf(fraction));
    }

    String dateTime(int fraction) {
        if (oneIn(BORDER_ONE_IN)) {
            return pick(
                    "'0000-00-00 00:00:00'", "'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'", "'2023-05-00 01:02:03'");
        }
        return moment(seconds(-30_000_000_000L, 200_000_000_000L), fraction);
    }

    String timestamp(int fraction) {
        if (oneIn(BORDER_ONE_IN)) {
            return pick("'0000-00-00 00:00:00'", "'1970-01-01 00:00:01'", "'2038-01-19 03:14:07'");
        }
        return moment(seconds(1, Integer.MAX_VALUE), fraction);
    }

    String text(Charset charset, int mostCharacters) {
        if (oneIn(BORDER_ONE_IN)) {
            return pick("''", "'0'", "'null'", quote(repeat(charset, mostCharacters)));
        }
        return quote(repeat(charset, random.nextInt(Math.min(mostCharacters, 60) + 1)));
    }

    String bytes(int mostBytes) {
        int length = oneIn(BORDER_ONE_IN) ? random.nextInt(2) * mostBytes : random.nextInt(Math.min(mostBytes, 60) + 1);
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        if (length > 0 && oneIn(4)) {
            bytes[length - 1] = 0;
        }
        return "X'" + HexFormat.of().formatHex(bytes) + "'";
    }

    String member(String... members) {
        return quote(members[random.nextInt(members.length)]);
    }

    /** The number of a set's value. */
    String members(int count) {
        return new BigInteger(count, random).toString();
    }

    String json() {
        return quote(jsonValue(0));
    }

    String point(int srid) {
        return "ST_GeomFromText('POINT(%d %d.5)', %d)".formatted(random.nextInt(90), random.nextInt(90), srid);
    }

    String geometry() {
        int n = random.nextInt(50);
        return "ST_GeomFromText('%s')"
                .formatted(pick(
                        "POINT(%d 2)".formatted(n),
                        "LINESTRING(0 0,%d 1,2 2)".formatted(n),
                        "POLYGON((0 0,10 0,10 %d,0 0))".formatted(n + 1),
                        "MULTIPOINT(0 0,%d 5)".formatted(n),
                        "GEOMETRYCOLLECTION(POINT(%d 1),LINESTRING(0 0,1 1))".formatted(n)));
    }

    String lineString() {
        return "ST_GeomFromText('LINESTRING(0 0,%d 1,2 %d)')".formatted(random.nextInt(99), random.nextInt(99));
    }

    String polygon() {
        return "ST_GeomFromText('POLYGON((0 0,10 0,10 %d,0 0))')".formatted(1 + random.nextInt(99));
    }

    String pick(String... values) {
        return values[random.nextInt(values.length)];
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('\'');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\'' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c);
        }
        return quoted.append('\'').toString();
    }

    private String jsonValue(int depth) {
        return switch (random.nextInt(depth > 2 ? 7 : 9)) {
            case 0 -> "null";
            case 1 -> pick("true", "false");
            case 2 -> integer(8, false);
            case 3 -> integer(8, true);
            case 4 -> pick("1.5", "-0.25", "1e10", "1.0", "123456.789e-3");
            case 5, 6 -> jsonText(repeat(Charset.UTF8MB4, random.nextInt(30)));
            case 7 -> "[%s,%s]".formatted(jsonValue(depth + 1), jsonValue(depth + 1));
            default ->
                "{\"a\":%s,\"%s\":%s,\"é中\":%s}"
                        .formatted(
                                jsonValue(depth + 1),
                                "k" + random.nextInt(9),
                                jsonValue(depth + 1),
                                jsonValue(depth + 1));
        };
    }

    private static String jsonText(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }

    private String repeat(Charset charset, int length) {
        String from = switch (charset) {
            case LATIN1 -> LATIN1;
            case GBK -> GBK;
            case UTF8MB4, UTF16 -> UNICODE;
        };
        int[] characters = from.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(characters[random.nextInt(characters.length)]);
        }
        return text.toString();
    }

    private String moment(long epochSecond, int fraction) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(epochSecond, 0, ZoneOffset.UTC);
        return String.format(
                Locale.ROOT,
                "'%04d-%02d-%02d %02d:%02d:%02d%s'",
                time.getYear(),
                time.getMonthValue(),
                time.getDayOfMonth(),
                time.getHour(),
                time.getMinute(),
                time.getSecond(),
                fractionOf(fraction));
    }

    private String fractionOf(int digits) {
        return digits == 0 ? "" : "." + digits(digits);
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }

    private long seconds(long from, long to) {
        return from + (long) (random.nextDouble() * (to - from));
    }

    /** Which characters a column can hold. */
    enum Charset {
        UTF8MB4,
        LATIN1,
        GBK,
        UTF16
    }
}
