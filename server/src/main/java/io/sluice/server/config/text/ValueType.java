package io.sluice.server.config.text;

import io.sluice.mysql.wire.ServerAddress;
import java.net.MalformedURLException;
import java.net.URL;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * What a key's text must look like, and what becomes of it.
 *
 * @param allowed what an operator may write, to follow "must be"
 * @param parser makes the value of a text that is not blank; throws an {@link IllegalArgumentException} if it cannot
 * @param kind what sort of text it is
 * @param choices all that may be written, for {@link ValueKind#BOOLEAN} and {@link ValueKind#CHOICE}; else empty
 * @param unit what a number counts, in the plural, such as {@code milliseconds}; blank if the key's meaning states it
 */
public record ValueType<T>(
        String allowed, Function<String, T> parser, ValueKind kind, List<String> choices, String unit) {
    public static final ValueType<String> TEXT = text("a text");

    public static final ValueType<Secret> SECRET =
            new ValueType<>("a text", Secret::new, ValueKind.SECRET, List.of(), "");

    /** Secrets separated by commas, of which some may be empty. */
    public static final ValueType<List<Secret>> SECRETS = new ValueType<>(
            "texts separated by commas",
            text -> Arrays.stream(text.split(",", -1))
                    .map(String::strip)
                    .map(Secret::new)
                    .toList(),
            ValueKind.SECRET,
            List.of(),
            "");

    /** A boolean of the server; any other word silently meant false to canal. */
    public static final ValueType<Boolean> BOOLEAN = booleans(text -> flag(text, "true", "false"));

    /** A boolean of an instance, for which canal knows more words. */
    public static final ValueType<Boolean> WORDY_BOOLEAN =
            booleans(text -> flag(text, "true on yes 1".split(" "), "false off no 0".split(" ")));

    public static final ValueType<ServerAddress> HOST_PORT =
            new ValueType<>("host:port or [ipv6]:port", ValueType::address);

    public static final ValueType<String> ZOOKEEPER_SERVERS =
            new ValueType<>("host:port of ZooKeeper's servers, separated by commas", ValueType::connectString);

    /** Java's name of a character set; its value is MySQL's. */
    public static final ValueType<String> CHARSET = new ValueType<>(
            "the name of a character set of Java, like UTF-8 or GBK, that MySQL has, too",
            text -> JavaCharsets.mysqlName(text).orElseThrow(() -> new IllegalArgumentException(text)));

    /** Names of the IANA, and offsets as MySQL writes them too. */
    public static final ValueType<ZoneId> ZONE =
            new ValueType<>("a time zone, like Asia/Shanghai or UTC, or an offset, like +08:00", text -> {
                try {
                    return ZoneId.of(text.replaceFirst("^([+-])(\\d:)", "$10$2"));
                } catch (DateTimeException e) {
                    throw new IllegalArgumentException(e);
                }
            });

    public static final ValueType<String> URL_TEXT = new ValueType<>("a URL, like file:/path/to/store.p12", text -> {
        try {
            return new URL(text).toString();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    });

    public static final ValueType<List<String>> LIST = list(
            "names separated by commas",
            text -> Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList());

    public static final ValueType<List<ServerAddress>> HOST_PORTS = list(
            "host:port or [ipv6]:port, several separated by commas",
            text -> LIST.parser().apply(text).stream().map(ValueType::address).toList());

    public static final ValueType<List<String>> DESTINATIONS = list(
            "names separated by commas, of letters, digits, '.', '-' and '_', and not beginning with '.'", text -> {
                List<String> names = LIST.parser().apply(text);
                if (!names.stream().allMatch(ValueType::isDestination)) {
                    throw new IllegalArgumentException(text);
                }
                return names;
            });

    /** {@code prefix{1-3}}: prefix1, prefix2, prefix3. */
    public static final ValueType<List<String>> DESTINATION_RANGE =
            new ValueType<>("prefix{m-n} with m not above n, at most 10000 names", ValueType::expand);

    private ValueType(String allowed, Function<String, T> parser) {
        this(allowed, parser, ValueKind.TEXT, List.of(), "");
    }

    /**
     * Any text.
     *
     * @param allowed what is expected of it, which is checked elsewhere
     */
    public static ValueType<String> text(String allowed) {
        return new ValueType<>(allowed, text -> text);
    }

    private static ValueType<Boolean> booleans(Function<String, Boolean> parser) {
        return new ValueType<>("true or false", parser, ValueKind.BOOLEAN, List.of("true", "false"), "");
    }

    private static <T> ValueType<List<T>> list(String allowed, Function<String, List<T>> parser) {
        return new ValueType<>(allowed, parser, ValueKind.LIST, List.of(), "");
    }

    public static ValueType<Integer> integer(int from, int to) {
        return number("", from, to, Math::toIntExact);
    }

    public static ValueType<Integer> integer(int from) {
        return integer(from, Integer.MAX_VALUE);
    }

    public static ValueType<Long> longInteger(long from, long to) {
        return number("", from, to, Long::valueOf);
    }

    public static ValueType<Integer> bytes(int from, int to) {
        return number("bytes", from, to, Math::toIntExact);
    }

    /**
     * Any number, below zero, too.
     *
     * @param unit what it counts, in the plural
     */
    public static ValueType<Integer> integerOf(String unit) {
        return number(unit, Integer.MIN_VALUE, Integer.MAX_VALUE, Math::toIntExact);
    }

    public static ValueType<Duration> millis(int from) {
        return number("milliseconds", from, Integer.MAX_VALUE, Duration::ofMillis);
    }

    public static ValueType<Duration> millis(int from, int to) {
        return number("milliseconds", from, to, Duration::ofMillis);
    }

    public static ValueType<Duration> seconds(int from, int to) {
        return number("seconds", from, to, Duration::ofSeconds);
    }

    public static ValueType<Duration> seconds(int from) {
        return number("seconds", from, Integer.MAX_VALUE, Duration::ofSeconds);
    }

    public static ValueType<Integer> powerOfTwo(int to) {
        return new ValueType<>(
                "a power of two from 1 to " + to,
                text -> {
                    int value = Integer.parseInt(text);
                    if (value < 1 || value > to || Integer.bitCount(value) != 1) {
                        throw new IllegalArgumentException(text);
                    }
                    return value;
                },
                ValueKind.INTEGER,
                List.of(),
                "");
    }

    private static <T> ValueType<T> number(String unit, long from, long to, LongFunction<T> value) {
        Function<String, T> parser = text -> {
            long number = Long.parseLong(text);
            if (number < from || number > to) {
                throw new IllegalArgumentException(text);
            }
            return value.apply(number);
        };
        String what = unit.isEmpty() ? "a whole number" : "a whole number of " + unit;
        return new ValueType<>(what + range(from, to), parser, ValueKind.INTEGER, List.of(), unit);
    }

    /** The bounds of a number; a bound that is that of its Java type is none to an operator. */
    private static String range(long from, long to) {
        boolean least = from != Integer.MIN_VALUE && from != Long.MIN_VALUE;
        boolean most = to != Integer.MAX_VALUE && to != Long.MAX_VALUE;
        if (least) {
            return most ? " from " + from + " to " + to : ", at least " + from;
        }
        return most ? ", at most " + to : "";
    }

    /** The constants of an enum, whatever the case. */
    public static <E extends Enum<E>> ValueType<E> oneOf(Class<E> type, Function<E, String> spelling) {
        E[] constants = type.getEnumConstants();
        return oneOf(
                Arrays.stream(constants).map(spelling).toList(),
                text -> Arrays.stream(constants)
                        .filter(constant -> spelling.apply(constant).equalsIgnoreCase(text))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(text)));
    }

    /** Some of the constants of an enum, at least one, separated by commas, whatever the case. */
    public static <E extends Enum<E>> ValueType<List<E>> choices(Class<E> type, Function<E, String> spelling) {
        ValueType<E> one = oneOf(type, spelling);
        return list(one.allowed() + ", several separated by commas", text -> {
            List<E> values =
                    LIST.parser().apply(text).stream().map(one.parser()).toList();
            if (values.isEmpty()) {
                throw new IllegalArgumentException(text);
            }
            return values;
        });
    }

    /** A type of which a value is one of some words, whatever the case. */
    public static ValueType<String> oneOf(String... words) {
        return oneOf(
                List.of(words),
                text -> Arrays.stream(words)
                        .filter(text::equalsIgnoreCase)
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException(text)));
    }

    private static <T> ValueType<T> oneOf(List<String> words, Function<String, T> parser) {
        return new ValueType<>("one of " + String.join(", ", words), parser, ValueKind.CHOICE, words, "");
    }

    public static boolean isDestination(String name) {
        return !name.startsWith(".")
                && !name.isEmpty()
                && name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_');
    }

    private static ServerAddress address(String text) {
        ServerAddress address = ServerAddress.parse(text);
        if (address.host().chars().anyMatch(Character::isWhitespace)) {
            throw new IllegalArgumentException("not a host: " + address.host());
        }
        return address;
    }

    private static boolean flag(String text, String yes, String no) {
        return flag(text, new String[] {yes}, new String[] {no});
    }

    private static boolean flag(String text, String[] yes, String[] no) {
        if (Arrays.stream(yes).anyMatch(text::equalsIgnoreCase)) {
            return true;
        }
        if (Arrays.stream(no).anyMatch(text::equalsIgnoreCase)) {
            return false;
        }
        throw new IllegalArgumentException(text);
    }

    private static List<String> expand(String text) {
        int open = text.indexOf('{');
        int dash = text.indexOf('-', Math.max(open, 0));
        if (open < 0 || dash < 0 || !text.endsWith("}")) {
            throw new IllegalArgumentException(text);
        }
        String prefix = text.substring(0, open);
        int from = Integer.parseInt(text.substring(open + 1, dash).strip());
        int to = Integer.parseInt(text.substring(dash + 1, text.length() - 1).strip());
        if (from > to || to - from >= 10_000 || !isDestination(prefix + from)) {
            throw new IllegalArgumentException(text);
        }
        List<String> names = new ArrayList<>();
        for (int i = from; i <= to; i++) {
            names.add(prefix + i);
        }
        return names;
    }

    /** A list of servers as ZooKeeper's client requires it; canal's {@code ;} between clusters means no more than a comma. */
    private static String connectString(String text) {
        List<String> servers = new ArrayList<>();
        for (String server : text.split("[,;]")) {
            if (!server.isBlank()) {
                servers.add(server.strip());
            }
        }
        String joined = String.join(",", servers);
        if (!joined.matches("[^\\s/,]++(?:,[^\\s/,]++)*+(?:/\\S*+)?")) {
            throw new IllegalArgumentException("not a list of servers: " + text);
        }
        return joined;
    }
}
