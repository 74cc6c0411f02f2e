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
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A {@code .properties} file that remembers the line of each key.
 *
 * <p>Lines are read by {@link Properties} itself, one logical line at a time, so that escapes and separators mean what
 * they mean to canal. A file that is valid UTF-8 is read as such, any other as ISO-8859-1: for ASCII there is no
 * difference, and canal's reading of other UTF-8 text is nothing that anyone could want.
 */
public final class PropertiesFile {
    private final Path path;
    private final Map<String, Setting> settings = new LinkedHashMap<>();

    private PropertiesFile(Path path) {
        this.path = path;
    }

    /** A file without a line in it. */
    public static PropertiesFile empty(Path path) {
        return new PropertiesFile(path);
    }

    /**
     * Reads a file.
     *
     * @param problems gets lines that cannot be read
     * @param warnings gets keys that are set twice, of which the last counts
     */
    public static PropertiesFile read(Path path, Set<Problem> problems, Set<String> warnings) throws IOException {
        PropertiesFile file = new PropertiesFile(path);
        StringBuilder logical = new StringBuilder();
        int number = 0;
        int first = 1;
        for (String line : (Iterable<String>) decode(Files.readAllBytes(path)).lines()::iterator) {
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
                file.add(logical.toString(), first, problems, warnings);
                logical.setLength(0);
            }
        }
        if (!logical.isEmpty()) {
            file.add(logical.toString(), first, problems, warnings);
        }
        return file;
    }

    public Path path() {
        return path;
    }

    public @Nullable Setting find(String key) {
        return settings.get(key);
    }

    /** All that is set, in the order of the file. */
    public Map<String, Setting> settings() {
        return settings;
    }

    private void add(String logicalLine, int number, Set<Problem> problems, Set<String> warnings) throws IOException {
        Origin origin = new Origin.FileLine(path, number);
        Properties one = new Properties();
        try {
            one.load(new StringReader(logicalLine));
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(origin, "", "", "the line cannot be read: " + e.getMessage()));
            return;
        }
        for (String key : one.stringPropertyNames()) {
            String value = one.getProperty(key, "").strip();
            Setting before = settings.put(key, Setting.written(origin, value));
            if (before != null && !before.raw().equals(value)) {
                warnings.add(origin + ": " + key + " is set again, to another value than at " + before.origin()
                        + "; the last one counts");
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

    private static String decode(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }
}
