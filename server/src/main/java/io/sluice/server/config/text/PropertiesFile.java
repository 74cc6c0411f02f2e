package io.sluice.server.config.text;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A {@code .properties} file, or a text of that form from elsewhere, that knows the line of each key.
 *
 * <p>Lines are read by {@link Properties} itself, one logical line at a time, so that escapes and separators mean what
 * they mean to canal. A file that is valid UTF-8 is read as such, any other as ISO-8859-1: for ASCII there is no
 * difference, and canal's reading of other UTF-8 text is of no use. A byte order mark at the beginning, as
 * editors of Windows write it, is no part of the first line.
 */
public final class PropertiesFile {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final IntFunction<Origin> lines;
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private PropertiesFile(IntFunction<Origin> lines) {
        this.lines = lines;
    }

    /** A file without a line in it. */
    public static PropertiesFile empty(Path path) {
        return new PropertiesFile(line -> new Origin.FileLine(path, line));
    }

    /** A text without a line in it. */
    public static PropertiesFile empty(String document) {
        return new PropertiesFile(line -> new Origin.TextLine(document, line));
    }

    /**
     * Reads a file.
     *
     * @param problems gets lines that cannot be read
     * @param warnings gets keys that are set twice, of which the last counts, and characters that may have been others
     */
    public static PropertiesFile read(Path path, Set<Problem> problems, Set<Warning> warnings) throws IOException {
        PropertiesFile file = empty(path);
        byte[] bytes = Files.readAllBytes(path);
        Optional<String> text = decode(bytes);
        file.addAll(
                text.orElseGet(() -> new String(bytes, StandardCharsets.ISO_8859_1)),
                text.isEmpty(),
                problems,
                warnings);
        return file;
    }

    /**
     * Reads a text that is not in a file.
     *
     * @param document what the text is, for messages
     * @param problems gets lines that cannot be read
     * @param warnings gets keys that are set twice, of which the last counts
     */
    public static PropertiesFile parse(String document, String text, Set<Problem> problems, Set<Warning> warnings) {
        PropertiesFile file = empty(document);
        file.addAll(text, false, problems, warnings);
        return file;
    }

    /** This file with the settings of another one, which win; what is in neither is missing in this one. */
    public PropertiesFile under(PropertiesFile other) {
        PropertiesFile both = new PropertiesFile(lines);
        both.settings.putAll(settings);
        both.settings.putAll(other.settings);
        return both;
    }

    /** This file without the keys that it sets to nothing. */
    public PropertiesFile withoutBlanks() {
        PropertiesFile others = new PropertiesFile(lines);
        settings.forEach((key, setting) -> {
            if (!setting.raw().isEmpty()) {
                others.settings.put(key, setting);
            }
        });
        return others;
    }

    /** The keys that another file, which wins, sets to other values; sorted. */
    public Set<String> hiddenBy(PropertiesFile winner) {
        Set<String> hidden = new TreeSet<>();
        settings.forEach((key, setting) -> {
            Setting other = winner.settings.get(key);
            if (other != null && !other.raw().equals(setting.raw())) {
                hidden.add(key);
            }
        });
        return hidden;
    }

    /**
     * This file without the values of some settings, which are known to be set, and nothing more. To be read with
     * {@link OutsideValues#none}, which notes those that are asked for.
     *
     * @param isHidden decides by name and value, as it is written
     */
    public PropertiesFile hiding(BiPredicate<String, String> isHidden) {
        PropertiesFile others = new PropertiesFile(lines);
        settings.forEach((key, setting) -> others.settings.put(
                key, isHidden.test(key, setting.raw()) ? Setting.hidden(setting.origin()) : setting));
        return others;
    }

    /** @param isDoubtful whether characters other than ASCII may have been others, as in a file of an editor that writes GBK */
    private void addAll(String given, boolean isDoubtful, Set<Problem> problems, Set<Warning> warnings) {
        String text = given.startsWith(BYTE_ORDER_MARK) ? given.substring(BYTE_ORDER_MARK.length()) : given;
        StringBuilder logical = new StringBuilder();
        int number = 0;
        int first = 1;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            if (logical.isEmpty()) {
                String stripped = line.stripLeading();
                if (stripped.isEmpty() || stripped.startsWith("#") || stripped.startsWith("!")) {
                    continue;
                }
                first = number;
            }
            logical.append(line).append('\n');
            if (!endsInOddBackslashes(line)) {
                add(logical.toString(), first, isDoubtful, problems, warnings);
                logical.setLength(0);
            }
        }
        if (!logical.isEmpty()) {
            add(logical.toString(), first, isDoubtful, problems, warnings);
        }
    }

    /** Where what is missing in the file would be. */
    public Origin origin() {
        return lines.apply(0);
    }

    public @Nullable Setting find(String key) {
        return settings.get(key);
    }

    /** All that is set, in the order of the file. */
    public Map<String, Setting> settings() {
        return settings;
    }

    private void add(String logicalLine, int number, boolean isDoubtful, Set<Problem> problems, Set<Warning> warnings) {
        Origin origin = lines.apply(number);
        Properties one = new Properties();
        try {
            one.load(new StringReader(logicalLine));
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(origin, "", "", "the line cannot be read: " + e.getMessage()));
            return;
        } catch (IOException e) {
            throw new IllegalStateException("a text in memory can be read", e);
        }
        for (String key : one.stringPropertyNames()) {
            String value = one.getProperty(key, "").strip();
            if (isDoubtful && !StandardCharsets.US_ASCII.newEncoder().canEncode(logicalLine)) {
                warnings.add(new Warning.At(
                        origin,
                        key + " has characters other than ASCII in a file that is not UTF-8, and they are read as"
                                + " ISO-8859-1, as by canal: save the file as UTF-8, or write them as \\uXXXX"));
            }
            Setting before = settings.put(key, Setting.written(origin, value));
            if (before != null && !before.raw().equals(value)) {
                warnings.add(new Warning.At(
                        origin,
                        "%s is set again, to another value than at %s; the last one counts"
                                .formatted(key, before.origin())));
            }
        }
    }

    private static boolean endsInOddBackslashes(String line) {
        int at = line.length();
        while (at > 0 && line.charAt(at - 1) == '\\') {
            at--;
        }
        return (line.length() - at) % 2 == 1;
    }

    /** Empty if it is not UTF-8. */
    private static Optional<String> decode(byte[] bytes) {
        try {
            return Optional.of(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }
}
