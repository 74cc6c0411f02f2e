package io.sluice.testkit.debian;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A package of any Debian suite with all the libraries it needs, libc included, in a folder of the build.
 *
 * <p>Its programs run with the folder's own loader, so the suite need not be the host's, nothing is installed, and no
 * needs to be root.
 */
public final class DebianRoot {
    private static final String ARCHITECTURE = "x86_64-linux-gnu";
    private static final String LOADER = "ld-linux-x86-64.so.2";
    private static final String DEFAULT_MIRROR = "http://deb.debian.org/debian";
    private static final Pattern MIRROR = Pattern.compile("https?://\\S+/debian(?=/?\\s)");
    private static final Path KEYS = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    /** What a server's package requires for its scripts and its web pages only. */
    private static final Pattern EMBELLISHMENT = Pattern.compile(
            "(perl|libperl|gcc-|libdb5|libgdbm|mysql-common|mariadb-common|libjs-|javascript-common|fonts-).*");
    /** How long one failure counts for all tests, so that a host without network does not try again in each. */
    private static final Duration FAILURE_LASTS = Duration.ofMinutes(30);

    /**
     * A package of the archive, with the program that is needed of it.
     *
     * @param version what the program must name as its version, but for the last number
     * @param program the path of a program in it that knows {@code --version}
     */
    public record Wanted(String suite, String name, String version, String program) {
        @Override
        public String toString() {
            return "%s %s of Debian %s".formatted(name, version, suite);
        }
    }

    private DebianRoot() {}

    /**
     * The folder with the package unpacked, fetched unless it is there.
     *
     * @throws ServerUnavailableException if it cannot be fetched, is of another version, or does not run here
     */
    public static Path of(Path folder, Wanted wanted) {
        return of(folder, wanted, root -> check(root, wanted));
    }

    /**
     * The folder with the package unpacked, fetched unless it is there, whose program prints its version in a way of its own.
     *
     * @param check fails with a {@link ServerUnavailableException} if what was unpacked is not what is needed
     */
    public static Path of(Path folder, Wanted wanted, Consumer<Path> check) {
        Path failure = folder.resolveSibling("unavailable");
        if (!Files.isDirectory(folder)) {
            rethrow(failure);
        }
        return OncePerBuild.folder(folder, into -> {
            rethrow(failure); // of a JVM that tried while this one waited
            try {
                fetch(into, wanted, List.of("--download-only", "install", wanted.name()));
                check.accept(into);
            } catch (ServerUnavailableException e) {
                write(failure, String.valueOf(e.getMessage()));
                throw e;
            }
        });
    }

    /**
     * The folder with one package unpacked, without what it needs, fetched unless it is there: the plugins of a server that is in another folder.
     *
     * @throws ServerUnavailableException if it cannot be fetched
     */
    public static Path ofPackageAlone(Path folder, String suite, String name) {
        Path failure = folder.resolveSibling(folder.getFileName() + ".unavailable");
        if (!Files.isDirectory(folder)) {
            rethrow(failure);
        }
        return OncePerBuild.folder(folder, into -> {
            rethrow(failure); // of a JVM that tried while this one waited
            try {
                fetch(into, new Wanted(suite, name, "", ""), List.of("download", name));
            } catch (ServerUnavailableException e) {
                write(failure, String.valueOf(e.getMessage()));
                throw e;
            }
        });
    }

    /** What runs a program of the folder. */
    public static List<String> command(Path root, String program) {
        List<Path> libraries = Stream.of("usr/lib", "lib")
                .map(lib -> root.resolve(lib).resolve(ARCHITECTURE))
                .filter(Files::isDirectory)
                .toList();
        Path loader = libraries.stream()
                .map(folder -> folder.resolve(LOADER))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + LOADER + " below " + root));
        return List.of(
                loader.toString(),
                "--library-path",
                String.join(":", libraries.stream().map(Path::toString).toList()),
                root.resolve(program).toString());
    }

    private static void fetch(Path into, Wanted wanted, List<String> download) {
        try {
            Path state = into.resolve("apt");
            for (String folder : List.of("lists/partial", "cache/archives/partial")) {
                Files.createDirectories(state.resolve(folder));
            }
            Path nothingInstalled = Files.createFile(state.resolve("status"));
            Path source = state.resolve("source.list");
            write(source, "deb [signed-by=%s] %s %s main%n".formatted(KEYS, mirror(), wanted.suite()));
            List<String> options = List.of(
                    "-q",
                    "-y",
                    "-o=Dir::Etc::sourcelist=" + source,
                    "-o=Dir::Etc::sourceparts=-",
                    "-o=Dir::State=" + state,
                    "-o=Dir::State::lists=" + state.resolve("lists"),
                    "-o=Dir::State::status=" + nothingInstalled,
                    "-o=Dir::Cache=" + state.resolve("cache"),
                    "-o=Dir::Log=" + state,
                    "-o=Acquire::Languages=none",
                    "-o=Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false",
                    "-o=Acquire::http::Timeout=20",
                    "-o=Acquire::Retries=2",
                    "-o=APT::Update::Error-Mode=any", // else it ends with success though nothing was fetched
                    "-o=APT::Install-Recommends=false",
                    "-o=APT::Sandbox::User=",
                    "-o=Debug::NoLocking=1");
            apt(into, wanted, options, List.of("update"));
            Path archives = state.resolve("cache/archives");
            apt(archives, wanted, options, download); // "download" writes to where it runs
            for (Path archive : archives(archives)) {
                Commands.require(into, Map.of(), List.of("dpkg-deb", "-x", archive.toString(), into.toString()));
            }
            Folders.delete(state);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void apt(Path work, Wanted wanted, List<String> options, List<String> verb) {
        List<String> command = new ArrayList<>(List.of("apt-get"));
        command.addAll(options);
        command.addAll(verb);
        String trouble;
        try {
            Commands.Outcome outcome = Commands.run(work, Map.of("LC_ALL", "C"), command);
            if (outcome.isSuccess()) {
                return;
            }
            trouble = outcome.output();
        } catch (UncheckedIOException e) {
            trouble = String.valueOf(e.getMessage()); // a host without apt-get
        }
        throw new ServerUnavailableException(
                "%s cannot be fetched (apt-get %s): %s".formatted(wanted, String.join(" ", verb), trouble));
    }

    /** A suite that moves may have another version by now, or one that is in the middle of a change. */
    private static void check(Path root, Wanted wanted) {
        List<String> command = new ArrayList<>(command(root, wanted.program()));
        command.add("--version");
        Commands.Outcome outcome = Commands.run(root, Map.of(), command);
        if (!outcome.isSuccess() || !outcome.output().contains("Ver " + wanted.version() + ".")) {
            throw new ServerUnavailableException(
                    "%s is not what the archive has now, or does not run here: %s".formatted(wanted, outcome.output()));
        }
    }

    private static List<Path> archives(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> {
                        String name = file.getFileName().toString();
                        return name.endsWith(".deb")
                                && !EMBELLISHMENT.matcher(name).matches();
                    })
                    .toList();
        }
    }

    /** The mirror that the host itself uses, which may be the only one it reaches. */
    private static String mirror() throws IOException {
        List<Path> lists = new ArrayList<>(List.of(Path.of("/etc/apt/sources.list")));
        Path parts = Path.of("/etc/apt/sources.list.d");
        if (Files.isDirectory(parts)) {
            try (Stream<Path> files = Files.list(parts)) {
                files.sorted().forEach(lists::add);
            }
        }
        for (Path list : lists) {
            if (Files.isReadable(list) && Files.isRegularFile(list)) {
                Matcher mirror = MIRROR.matcher(Files.readString(list, StandardCharsets.UTF_8) + "\n");
                if (mirror.find()) {
                    return mirror.group();
                }
            }
        }
        return DEFAULT_MIRROR;
    }

    private static void rethrow(Path failure) {
        try {
            if (Files.exists(failure)) {
                Instant end = Files.getLastModifiedTime(failure).toInstant().plus(FAILURE_LASTS);
                if (Instant.now().isBefore(end)) {
                    throw new ServerUnavailableException(Files.readString(failure, StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
