package io.sluice.bench.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Starts async-profiler in the JVM of a server, which writes a flame graph of its whole run when it ends. If the kernel does
 * not permit kernel stacks, their time counts for the calling frame.
 */
public final class Profiler {
    private static final String LIBRARY = "libasyncProfiler.so";
    private static final Pattern UNFIT = Pattern.compile("[\\s,=%]");

    private final Path library;
    private final Path target;

    /**
     * Creates a profiler.
     *
     * @param work a folder for async-profiler's library
     * @param target the folder of the flame graphs
     * @throws IllegalStateException if there is no library for this machine, or a path is not fit for a JVM option
     */
    public Profiler(Path work, Path target) throws IOException {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm64" : "x64";
        try (InputStream bytes =
                Profiler.class.getResourceAsStream("/%s-%s/%s".formatted(system, processor, LIBRARY))) {
            if (bytes == null) {
                throw new IllegalStateException("async-profiler has no library for %s on %s: run without --profile"
                        .formatted(system, processor));
            }
            this.library = fit(Files.createDirectories(work).resolve(LIBRARY));
            Files.copy(bytes, library, StandardCopyOption.REPLACE_EXISTING);
        }
        this.target = fit(Files.createDirectories(target));
    }

    /** The JVM option that writes {@code name.html}. */
    String option(String name) {
        return "-agentpath:%s=start,event=cpu,interval=1ms,threads,file=%s"
                .formatted(library, target.resolve(name + ".html"));
    }

    /** Blanks separate options; commas, equals and percent signs have a meaning within one. */
    private static Path fit(Path path) {
        Path absolute = path.toAbsolutePath();
        if (UNFIT.matcher(absolute.toString()).find()) {
            throw new IllegalStateException(
                    "the path of a profile must not contain blanks, commas, '=' or '%%': %s".formatted(absolute));
        }
        return absolute;
    }
}
