package io.sluice.bench.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** How often each stack was seen, at equal steps of processor time. For one thread. */
public final class StackSamples {
    private static final Pattern THREAD_ID = Pattern.compile(" ?tid=\\d+$");

    /** What tells hidden classes of one origin apart. */
    private static final Pattern HIDDEN_CLASS = Pattern.compile("\\$?\\d*[./]0x[0-9a-f]+(?=\\.)");

    private final Map<Stack, Long> counts = new LinkedHashMap<>();
    private long total;

    /**
     * What a thread was doing.
     *
     * @param thread its name; empty if it has none
     * @param frames the outermost first: methods as {@code java/lang/Thread.run}, functions of C and C++ by their names, and
     *     those of the kernel with {@code _[k]} behind
     */
    public record Stack(String thread, List<String> frames) {
        public Stack {
            frames = List.copyOf(frames);
        }

        boolean has(Predicate<String> frame) {
            return frames.stream().anyMatch(frame);
        }

        /** Whether a frame is a method whose class, with its package and slashes, starts so. */
        boolean hasClass(String prefix) {
            return has(frame -> frame.startsWith(prefix));
        }
    }

    /**
     * Adds those of a file, in which each line is a stack, frames separated by semicolons, and its count behind a blank. The
     * first frame is the thread: {@code [name tid=1]}.
     *
     * @throws IOException if it cannot be read, or a line is not such
     */
    public void read(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            for (String line : (Iterable<String>) lines::iterator) {
                add(line, file);
            }
        }
    }

    private void add(String line, Path file) throws IOException {
        int countAt = line.lastIndexOf(' ') + 1;
        List<String> frames =
                List.of(line.substring(0, Math.max(0, countAt - 1)).split(";"));
        String first = frames.get(0);
        if (!line.substring(countAt).matches("\\d{1,18}") || !first.startsWith("[") || !first.endsWith("]")) {
            throw new IOException("%s has a line that is no stack of a thread: %s".formatted(file, line));
        }
        String thread =
                THREAD_ID.matcher(first.substring(1, first.length() - 1)).replaceFirst("");
        add(
                new Stack(
                        thread,
                        frames.stream()
                                .skip(1)
                                .map(frame -> HIDDEN_CLASS.matcher(frame).replaceAll(""))
                                .toList()),
                Long.parseLong(line.substring(countAt)));
    }

    /** Adds a stack that was seen so often. */
    public void add(Stack stack, long count) {
        counts.merge(stack, count, Long::sum);
        total += count;
    }

    /** How many there are. */
    public long total() {
        return total;
    }

    /** Each stack and how often it was seen. */
    public Map<Stack, Long> counts() {
        return Collections.unmodifiableMap(counts);
    }
}
