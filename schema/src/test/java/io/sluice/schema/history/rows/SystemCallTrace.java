package io.sluice.schema.history.rows;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what {@code strace -f -y -xx} has recorded of the calls that change files of one directory. */
final class SystemCallTrace {
    /** The calls to record; those among them that are not modelled fail the test when they concern the directory. */
    static final String CALLS =
            "openat,open,creat,write,writev,pwrite64,pwritev,pwritev2,fsync,fdatasync,sync_file_range,msync,mmap,"
                    + "ftruncate,truncate,fallocate,rename,renameat,renameat2,unlink,unlinkat,link,linkat,sendfile,copy_file_range";

    private static final Pattern UNFINISHED = Pattern.compile("^(\\d+) +(.*) <unfinished \\.\\.\\.>$");
    private static final Pattern RESUMED = Pattern.compile("^(\\d+) +<\\.\\.\\. \\w+ resumed>(.*)$");
    private static final Pattern FINISHED = Pattern.compile("^(\\d+) +(\\w+)\\((.*)\\) += (-?\\d+|0x[0-9a-f]+)(.*)$");
    private static final Pattern DESCRIPTOR = Pattern.compile("^(\\d+)<([^>]*)>");
    private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"(\\.\\.\\.)?");

    private final Path directory;
    private final List<SystemCall> calls = new ArrayList<>();
    private final Set<String> files = new HashSet<>();

    SystemCallTrace(Path directory) {
        this.directory = directory;
    }

    /** The calls of all traces that were read. */
    List<SystemCall> calls() {
        return calls;
    }

    /** Reads the trace of a program that ran after those before. */
    void read(Path trace) throws IOException {
        Map<String, String> unfinished = new HashMap<>();
        try (BufferedReader lines = Files.newBufferedReader(trace, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher begun = UNFINISHED.matcher(line);
                if (begun.matches()) {
                    unfinished.put(begun.group(1), begun.group(2));
                    continue;
                }
                Matcher resumed = RESUMED.matcher(line);
                String whole = resumed.matches()
                        ? resumed.group(1) + " " + unfinished.remove(resumed.group(1)) + resumed.group(2)
                        : line;
                Matcher call = FINISHED.matcher(whole);
                if (call.matches() && !call.group(4).startsWith("-")) {
                    take(call.group(2), call.group(3), call.group(4));
                }
            }
        }
    }

    private void take(String name, String arguments, String result) {
        if (name.equals("openat")) {
            String file = ownFile(path(arguments));
            if (file != null && arguments.contains("O_CREAT") && files.add(file)) {
                calls.add(new SystemCall.Create(file));
            }
            if (file != null && arguments.contains("O_TRUNC")) {
                throw new IllegalStateException("not modelled: " + name + arguments);
            }
            return;
        }
        if (name.equals("unlink") || name.equals("unlinkat")) {
            String file = ownFile(path(arguments));
            if (file != null) {
                files.remove(file);
                calls.add(new SystemCall.Unlink(file));
            }
            return;
        }
        Matcher descriptor = DESCRIPTOR.matcher(arguments);
        if (!descriptor.find()) {
            if (arguments.contains(hex(directory.toString()))) {
                throw new IllegalStateException("not modelled: " + name + " " + arguments);
            }
            return;
        }
        String target = new String(decoded(descriptor.group(2)), StandardCharsets.UTF_8);
        if (name.equals("write") && descriptor.group(1).equals("1")) {
            confirm(arguments);
        } else if (target.equals(directory.toString())) {
            if (name.equals("fsync") || name.equals("fdatasync")) {
                calls.add(new SystemCall.SyncDirectory());
            }
        } else {
            String file = ownFile(target);
            if (file != null) {
                calls.add(ofFile(name, arguments, result, file));
            }
        }
    }

    private static SystemCall ofFile(String name, String arguments, String result, String file) {
        return switch (name) {
            case "fsync", "fdatasync" -> new SystemCall.Sync(file);
            case "ftruncate" -> new SystemCall.Truncate(file, Long.parseLong(last(arguments)));
            case "pwrite64" -> {
                Matcher text = TEXT.matcher(arguments);
                if (!text.find() || text.group(2) != null) {
                    throw new IllegalStateException("no whole bytes: " + arguments.substring(0, 100));
                }
                byte[] bytes = decoded(text.group(1));
                if (bytes.length != Integer.parseInt(result)) {
                    throw new IllegalStateException("%d bytes of %s written".formatted(bytes.length, result));
                }
                yield new SystemCall.Write(file, Long.parseLong(last(arguments)), bytes);
            }
            default -> throw new IllegalStateException("not modelled: " + name + " of " + file);
        };
    }

    private void confirm(String arguments) {
        Matcher text = TEXT.matcher(arguments);
        if (text.find()) {
            String line = new String(decoded(text.group(1)), StandardCharsets.US_ASCII).strip();
            if (line.startsWith("done ")) {
                calls.add(new SystemCall.Confirmed(Long.parseLong(line.substring(5))));
            }
        }
    }

    private static String path(String arguments) {
        Matcher text = TEXT.matcher(arguments);
        return text.find() ? new String(decoded(text.group(1)), StandardCharsets.UTF_8) : "";
    }

    private @Nullable String ownFile(String path) {
        return path.startsWith(directory + "/")
                ? path.substring(directory.toString().length() + 1)
                : null;
    }

    private static String last(String arguments) {
        return arguments.substring(arguments.lastIndexOf(',') + 1).strip();
    }

    private static String hex(String text) {
        StringBuilder hex = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hex.append("\\x%02x".formatted(b));
        }
        return hex.toString();
    }

    private static byte[] decoded(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length() / 4 + 1);
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\\' && text.charAt(i + 1) == 'x') {
                bytes.write(Integer.parseInt(text.substring(i + 2, i + 4), 16));
                i += 3;
            } else {
                bytes.write(text.charAt(i));
            }
        }
        return bytes.toByteArray();
    }
}
