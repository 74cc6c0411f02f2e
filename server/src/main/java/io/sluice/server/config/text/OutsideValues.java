package io.sluice.server.config.text;

import io.sluice.protocol.pattern.MatchBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values that placeholders take from outside of the configuration: <code>${file:path}</code> and
 * <code>${env:NAME}</code>. Each file is read once, so that a value does not change while a configuration is read. For texts that are
 * not of this machine nothing is read ({@link #none}). For one thread.
 */
public final class OutsideValues {
    /** The largest file. */
    static final int MAX_BYTES = 64 * 1024;

    /** What a character costs that is filled in: each instance has its own value, so that it is for its memory, too. */
    private static final int LOOKS_PER_CHARACTER = 10;

    /** The characters that all placeholders of texts which are not of this machine may stand for. */
    static final int MAX_FILLED_IN = 1 << 20;

    private static final String FILE = "file";
    static final String VARIABLE = "env";

    /** Parts of the paths at which Kubernetes and clouds put the tokens of a pod: they are the pod's, not the server's. */
    private static final Set<String> TOKENS_OF_PODS =
            Set.of("kubernetes.io", "eks.amazonaws.com", "azure", "serviceaccount", "tokens");

    private static final String NOT_READ =
            "is not checked: it needs a file, a variable or another value of the server, and none is read for a text that is not of this machine";

    private final Map<String, String> variables;
    private final Path baseDirectory;

    /** Gets the settings whose values are not read; null if they are. */
    private final @Nullable Set<Problem> unread;

    /** Of whose files alone are read; null for all. */
    private final @Nullable List<Path> directories;

    /** Are read wherever they are. */
    private final Set<Path> allowedFiles;

    private final Map<Path, String> contents = new HashMap<>();

    /** What was filled in of each setting, of the instance for which that is most: instances that inherit it do not count it again. */
    private final Map<Where, Long> filledIn = new HashMap<>();

    private long allFilledIn;

    /** A setting of a text. */
    private record Where(Origin origin, String key) {}

    /**
     * Creates a reader.
     *
     * @param environment has the variables
     * @param baseDirectory what relative paths start from
     */
    public OutsideValues(Environment environment, Path baseDirectory) {
        this(environment.variables(), baseDirectory, null, null, Set.of());
    }

    /**
     * Creates a reader for texts that others than the operator of this machine may edit.
     *
     * @param environment has the variables
     * @param baseDirectory what relative paths start from
     * @param directories of whose files values are read; normalized
     * @param files values are read of these, too, as {@link #files} has them
     */
    public OutsideValues(Environment environment, Path baseDirectory, List<Path> directories, Set<Path> files) {
        this(environment.variables(), baseDirectory, null, List.copyOf(directories), Set.copyOf(files));
    }

    private OutsideValues(
            Map<String, String> variables,
            Path baseDirectory,
            @Nullable Set<Problem> unread,
            @Nullable List<Path> directories,
            Set<Path> allowedFiles) {
        this.directories = directories;
        this.allowedFiles = allowedFiles;
        this.variables = variables;
        this.baseDirectory = baseDirectory;
        this.unread = unread;
    }

    /**
     * A reader that reads nothing, for texts of another machine and those that a client has sent: nothing of this machine gets into what
     * is made of them. Settings that need it are unusable.
     *
     * @param unread gets these settings; they are no problems of the configuration
     */
    public static OutsideValues none(Set<Problem> unread) {
        return new OutsideValues(Map.of(), Path.of(""), unread, null, Set.of());
    }

    /** The files that were read until now. */
    public Set<Path> files() {
        return Set.copyOf(contents.keySet());
    }

    /** Whether files and variables are those of this machine, and are read. */
    public boolean areRead() {
        return unread == null;
    }

    /** Notes a setting whose value was not read. */
    void addUnread(Origin origin, String key, String shown) {
        if (unread != null) {
            unread.add(new Problem(origin, key, shown, NOT_READ));
        }
    }

    /**
     * Counts what the placeholders of a setting stand for, so that those of texts which others have written do not multiply.
     *
     * @param before the characters that were filled in until now
     * @param length those of one more
     * @throws PlaceholderException if that is too much of all settings; not for texts of this machine
     */
    void countFilledIn(Origin origin, String key, long before, int length) {
        MatchBudget.spend(LOOKS_PER_CHARACTER * (double) length);
        if (unread == null) {
            return;
        }
        long own = before + length;
        Where where = new Where(origin, key);
        long most = filledIn.getOrDefault(where, 0L);
        if (own <= most) {
            return;
        }
        filledIn.put(where, own);
        allFilledIn += own - most;
        if (allFilledIn > MAX_FILLED_IN) {
            throw new PlaceholderException(
                    "all placeholders of these texts together stand for more than %d characters: write fewer of them"
                            .formatted(MAX_FILLED_IN));
        }
    }

    /** Whether a name before the colon of a placeholder is that of a file or of a variable. */
    static boolean isKind(String name) {
        return name.equals(FILE) || name.equals(VARIABLE);
    }

    /**
     * Reads a value.
     *
     * @param kind one that {@link #isKind} knows
     * @param argument what is after the colon; a path, or a variable's name
     * @param fallback used if there is no such variable, or it is empty; null for none; not for files
     * @param shown the argument as it may be shown
     * @throws PlaceholderException if there is no value
     * @throws UnknownValueException if nothing is read
     */
    String read(String kind, String argument, @Nullable Supplier<String> fallback, String shown) {
        if (unread != null) {
            throw new UnknownValueException();
        }
        return kind.equals(FILE) ? content(argument, shown) : variable(argument, fallback, shown);
    }

    private String variable(String name, @Nullable Supplier<String> fallback, String shown) {
        String value = variables.getOrDefault(name, "");
        if (!value.isEmpty()) {
            return value;
        }
        if (fallback != null) {
            return fallback.get();
        }
        throw new PlaceholderException(
                "the environment variable %s %s: set it for the server's process, or write a fallback"
                                .formatted(shown, variables.containsKey(name) ? "is empty" : "is not set")
                        + ", ${env:%s:fallback}, which may be blank".formatted(shown));
    }

    private String content(String path, String shown) {
        Path file;
        try {
            file = baseDirectory.resolve(path).normalize();
        } catch (InvalidPathException e) {
            throw new PlaceholderException("%s is not the path of a file".formatted(shown));
        }
        String known = contents.get(file);
        if (known != null) {
            return known;
        }
        String name = shown.equals(path) ? file.toString() : shown;
        if (!isAllowed(file)) {
            throw new PlaceholderException(
                    "the file %s is not read for a text of an admin server: it is in none of the directories of %s, a key of this server's own canal.properties"
                            .formatted(name, "canal.admin.manager.fileDirectories"));
        }
        String text = withoutLineBreak(decode(bytes(file, name), name));
        if (text.isEmpty()) {
            throw new PlaceholderException(
                    "the file %s is empty: write the value into it, or leave the key blank for its default"
                            .formatted(name));
        }
        contents.put(file, text);
        return text;
    }

    private boolean isAllowed(Path file) {
        return directories == null
                || allowedFiles.contains(file)
                || directories.stream()
                        .anyMatch(directory -> file.startsWith(directory) && !isTokenOfPod(directory.relativize(file)));
    }

    private static boolean isTokenOfPod(Path file) {
        for (Path part : file) {
            if (TOKENS_OF_PODS.contains(part.toString())) {
                return true;
            }
        }
        return false;
    }

    private static byte[] bytes(Path file, String shown) {
        if (Files.isDirectory(file)) {
            throw new PlaceholderException("%s is a directory: name a file in it".formatted(shown));
        }
        if (Files.notExists(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new PlaceholderException("there is no file %s: create it, or correct the path".formatted(shown));
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new PlaceholderException("%s is not a regular file: write the value into one".formatted(shown));
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (AccessDeniedException e) {
            throw new PlaceholderException(
                    "the file %s cannot be read, access is denied: give the server's user permission to read it"
                            .formatted(shown));
        } catch (IOException e) {
            throw new PlaceholderException(
                    "the file %s cannot be read (%s): check what it links to, and its file system"
                            .formatted(shown, e.getClass().getSimpleName()));
        }
        if (bytes.length > MAX_BYTES) {
            throw new PlaceholderException("the file %s has more than %d bytes: it must hold nothing but the value"
                    .formatted(shown, MAX_BYTES));
        }
        return bytes;
    }

    private static String decode(byte[] bytes, String shown) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new PlaceholderException("the file %s is not text in UTF-8: convert it".formatted(shown));
        }
    }

    private static String withoutLineBreak(String text) {
        if (text.endsWith("\r\n")) {
            return text.substring(0, text.length() - 2);
        }
        return text.endsWith("\n") || text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
    }
}
