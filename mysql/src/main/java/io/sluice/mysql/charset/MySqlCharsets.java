package io.sluice.mysql.charset;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All character sets of MySQL 8.0, which are also those of MySQL 5.7 and 9 and of MariaDB. */
public final class MySqlCharsets {
    private static final int FIRST_NOPAD = 1024;
    private static final int FIRST_UCA1400 = 2048;

    private record CollationRange(int last, String charset) {}

    private static final NavigableMap<Integer, CollationRange> COLLATIONS = collations();
    private static final Map<String, Supplier<TextDecoder>> MAKERS = makers();
    private static final ConcurrentHashMap<String, TextDecoder> DECODERS = new ConcurrentHashMap<>();

    private MySqlCharsets() {}

    /**
     * The character set of a collation's id; null if there is no such id, or it is one from 1024 to 2047: MySQL leaves these to collations that
     * users define.
     */
    public static @Nullable String charsetOf(int collation) {
        Map.Entry<Integer, CollationRange> range = COLLATIONS.floorEntry(collation);
        return range == null || collation > range.getValue().last()
                ? null
                : range.getValue().charset();
    }

    /** The id of a collation of the same character set for an id of MariaDB, whose collations without padding have ids of their own. */
    public static int padded(int mariaDbCollation) {
        return mariaDbCollation >= FIRST_NOPAD && mariaDbCollation < FIRST_UCA1400
                ? mariaDbCollation - FIRST_NOPAD
                : mariaDbCollation;
    }

    /**
     * The decoder of a character set; the same object for the same set.
     *
     * @param charset MySQL's name of it, in any case; {@code utf8} is {@code utf8mb3}
     * @return null if there is no such set
     */
    public static @Nullable TextDecoder decoder(String charset) {
        String name = charset.toLowerCase(Locale.ROOT);
        Supplier<TextDecoder> maker = MAKERS.get(name);
        return maker == null ? null : DECODERS.computeIfAbsent(name, n -> maker.get());
    }

    /** How many bytes a character of the set may take; 1 for a set that is not known. */
    public static int longestCharacter(String charset) {
        return switch (charset.toLowerCase(Locale.ROOT)) {
            case "big5", "gbk", "gb2312", "euckr", "sjis", "cp932", "ucs2" -> 2;
            case "utf8", "utf8mb3", "ujis", "eucjpms" -> 3;
            case "utf8mb4", "utf16", "utf16le", "utf32", "gb18030" -> 4;
            default -> 1;
        };
    }

    /** How many bytes a character of the set takes at least; 1 for a set that is not known. */
    public static int shortestCharacter(String charset) {
        return switch (charset.toLowerCase(Locale.ROOT)) {
            case "ucs2", "utf16", "utf16le" -> 2;
            case "utf32" -> 4;
            default -> 1;
        };
    }

    private static Map<String, Supplier<TextDecoder>> makers() {
        Map<String, Supplier<TextDecoder>> makers = new HashMap<>();
        TextDecoder utf8 = new Utf8Decoder();
        for (String name : List.of("utf8", "utf8mb3", "utf8mb4", "ascii")) {
            makers.put(name, () -> utf8);
        }
        makers.put("utf16", () -> new Utf16Decoder(false));
        makers.put("ucs2", () -> new Utf16Decoder(false));
        makers.put("utf16le", () -> new Utf16Decoder(true));
        makers.put("utf32", Utf32Decoder::new);
        for (MultiByteCharset charset : MultiByteCharset.values()) {
            makers.put(charset.mysqlName(), () -> new MultiByteDecoder(charset));
        }
        makers.put("binary", () -> new SingleByteDecoder(SingleByteDecoder.bytesAsCharacters()));
        for (String line : lines("single-byte.txt")) {
            String[] parts = line.split(" ", 2);
            makers.put(parts[0], () -> new SingleByteDecoder(SingleByteDecoder.parse(parts[1])));
        }
        return makers;
    }

    private static NavigableMap<Integer, CollationRange> collations() {
        NavigableMap<Integer, CollationRange> ranges = new TreeMap<>();
        for (String line : lines("collations.txt")) {
            String[] parts = line.split(" ");
            String[] ids = parts[0].split("-");
            ranges.put(Integer.valueOf(ids[0]), new CollationRange(Integer.parseInt(ids[ids.length - 1]), parts[1]));
        }
        return ranges;
    }

    private static List<String> lines(String resource) {
        InputStream in = Objects.requireNonNull(MySqlCharsets.class.getResourceAsStream(resource), resource);
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII))) {
            return reader.lines().filter(line -> !line.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
