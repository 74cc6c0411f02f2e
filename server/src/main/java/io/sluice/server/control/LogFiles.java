package io.sluice.server.control;

import io.sluice.server.config.text.ValueType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Lets an operator read the ends of the server's log files, and no other files. Thread-safe.
 *
 * <p>There is a directory for each destination, and one for the server, {@value #SERVER}. In it, names are plain: no path, no link that
 * leads out, and only files that are named as logs are.
 */
public final class LogFiles {
    /** The directory of what is logged for no instance, and the name of its main file. */
    public static final String SERVER = "canal";

    /** A tail is of at most so many bytes. */
    public static final int MAX_TAIL_BYTES = 4 * 1024 * 1024;

    /** Archives are in a directory for each day. */
    private static final int DEPTH = 2;

    private static final int MAX_NAMES = 10_000;

    /** {@code shop.log}, {@code gc.log.3}; listed, too: {@code shop-2026-03-01-0.log.gz}. */
    private static final Pattern READABLE = Pattern.compile("[^\\p{Cntrl}/\\\\:]+\\.log(\\.\\d+)?");

    private static final Pattern LISTED = Pattern.compile("[^\\p{Cntrl}/\\\\:,]+\\.log(\\.\\w+)?");

    private final Path directory;

    /**
     * Makes one; nothing is read yet.
     *
     * @param directory the directory of all logs, normally {@code logs/} beside {@code bin/}; it need not exist
     */
    public LogFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * The names of a destination's log files, archives included, without their directories; sorted, each once, at most 10000. Empty if
     * nothing was logged.
     *
     * @param destination a destination, or {@value #SERVER}
     * @throws IllegalArgumentException if this can be the name of no destination
     * @throws IOException if the directory cannot be read
     */
    public List<String> names(String destination) throws IOException {
        Path own;
        try {
            own = directoryOf(destination);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(own, DEPTH)) { // does not follow links
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> LISTED.matcher(name).matches())
                    .distinct()
                    .sorted()
                    .limit(MAX_NAMES)
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The names of a destination's log files whose ends can be read by {@link #tail}; sorted, at most 10000. Empty if nothing was logged.
     *
     * @param destination a destination, or {@value #SERVER}
     * @throws IllegalArgumentException if this can be the name of no destination
     * @throws IOException if the directory cannot be read
     */
    public List<String> readable(String destination) throws IOException {
        Path own;
        try {
            own = directoryOf(destination);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(own)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> READABLE.matcher(name).matches())
                    .sorted()
                    .limit(MAX_NAMES)
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /**
     * The last lines of a log file, joined by {@code \n}, without one at the end.
     *
     * <p>At most the last {@value #MAX_TAIL_BYTES} bytes are read: if the lines are longer than that, the first one is cut, at a
     * character. What is no valid UTF-8 is replaced.
     *
     * @param destination a destination, or {@value #SERVER}
     * @param file a plain name; blank for the main file, {@code <destination>.log}
     * @param lines how many; with 0 or less the result is empty
     * @throws IllegalArgumentException if a name is none of a destination, or none of a log file
     * @throws NoSuchFileException if there is no such file
     * @throws IOException if it cannot be read
     */
    public String tail(String destination, String file, int lines) throws IOException {
        Path own = directoryOf(destination);
        String name = file.isBlank() ? destination + ".log" : file;
        if (!READABLE.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a log file that can be read, like shop.log");
        }
        Path real = real(own.resolve(name), name);
        if (!own.equals(real.getParent()) || !Files.isRegularFile(real, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException("this leads out of the directory of logs, or is no file");
        }
        if (lines <= 0) {
            return "";
        }
        return lastLines(lastBytes(real), lines);
    }

    /** The real directory of a destination: directly below the real one of all logs. */
    private Path directoryOf(String destination) throws IOException {
        if (!ValueType.isDestination(destination)) {
            throw new IllegalArgumentException("not the name of a destination");
        }
        Path all = real(directory, "logs");
        Path own = real(directory.resolve(destination), destination);
        if (!all.equals(own.getParent()) || !Files.isDirectory(own)) {
            throw new IllegalArgumentException("this leads out of the directory of logs, or is no directory");
        }
        return own;
    }

    /** Without the path in what is thrown, which is nothing for a client. */
    private static Path real(Path path, String name) throws IOException {
        try {
            return path.toRealPath();
        } catch (NoSuchFileException e) {
            NoSuchFileException plain = new NoSuchFileException(name, null, "there is no such log");
            plain.initCause(e);
            throw plain;
        }
    }

    private static byte[] lastBytes(Path file) throws IOException {
        try (SeekableByteChannel channel =
                Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            long size = channel.size();
            long begin = Math.max(0, size - MAX_TAIL_BYTES);
            ByteBuffer bytes = ByteBuffer.allocate((int) (size - begin));
            channel.position(begin);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // a file that was emptied meanwhile ends earlier
            }
            bytes.flip();
            if (begin > 0) {
                skipToCharacter(bytes);
            }
            byte[] read = new byte[bytes.remaining()];
            bytes.get(read);
            return read;
        }
    }

    /** Skips what is left of a character whose first byte was not read: at most three bytes. */
    private static void skipToCharacter(ByteBuffer bytes) {
        for (int i = 0; i < 3 && bytes.hasRemaining() && (bytes.get(bytes.position()) & 0xC0) == 0x80; i++) {
            bytes.get();
        }
    }

    private static String lastLines(byte[] bytes, int lines) {
        int end = bytes.length > 0 && bytes[bytes.length - 1] == '\n' ? bytes.length - 1 : bytes.length;
        int begin = end;
        int left = lines;
        while (begin > 0) {
            if (bytes[begin - 1] == '\n' && --left == 0) {
                break;
            }
            begin--;
        }
        return new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
    }
}
