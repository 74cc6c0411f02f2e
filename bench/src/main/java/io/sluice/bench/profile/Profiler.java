package io.sluice.bench.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Has a JVM take samples of its threads' stacks while they run, by async-profiler, whose library it loads. Where the kernel
 * does not let it see, samples have no frames of the kernel.
 */
public final class Profiler {
    private static final String LIBRARY = "libasyncProfiler.so";
    private static final Pattern UNFIT = Pattern.compile("[\\s,=%]");

    private final Path library;

    private Profiler(Path library) {
        this.library = library;
    }

    /**
     * Makes one.
     *
     * @param folder gets the library
     * @throws IllegalStateException if there is none for this machine, or the folder's path cannot stand in an option
     */
    public static Profiler into(Path folder) throws IOException {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch");
        String name = resource(system, processor);
        try (InputStream bytes = Profiler.class.getResourceAsStream(name)) {
            if (bytes == null) {
                throw new IllegalStateException(
                        "there is no profiler for %s on %s; measure without --profile".formatted(system, processor));
            }
            Path library = plain(Files.createDirectories(folder).resolve(LIBRARY));
            Files.copy(bytes, library);
            return new Profiler(library);
        }
    }

    private static String resource(String system, String processor) {
        boolean isArm = processor.equals("aarch64") || processor.equals("arm64");
        return "/%s-%s/%s".formatted(system, isArm ? "arm64" : "x64", LIBRARY);
    }

    /**
     * The option of a JVM that takes samples from its start to its end.
     *
     * @param stacks gets them when it ends, in a form that {@link StackSamples#read} takes
     * @throws IllegalStateException if its path cannot stand in an option
     */
    public String option(Path stacks) {
        return "-agentpath:%s=start,event=cpu,interval=1ms,threads,collapsed,file=%s".formatted(library, plain(stacks));
    }

    /** The path from the root: blanks separate options, and commas, equals and percent signs mean something within one. */
    private static Path plain(Path path) {
        Path whole = path.toAbsolutePath();
        if (UNFIT.matcher(whole.toString()).find()) {
            throw new IllegalStateException(
                    "a profiled JVM cannot be told of %s, which has a blank, a comma, '=' or '%%' in its path"
                            .formatted(whole));
        }
        return whole;
    }
}
