package io.sluice.testkit.mysql;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.OncePerBuild;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The shared libraries that {@code mysqld} needs and a bare system lacks.
 *
 * <p>The host's own are used where it has them. Others are taken out of Debian's packages into the servers' folder, for
 * the server's process alone: nothing is installed.
 */
final class NativeLibraries {
    /** A library by the name that the loader searches, with the packages that may hold it. */
    private record Library(String soname, List<String> packages) {}

    private static final List<Library> NEEDED = List.of(
            new Library("libaio.so.1", List.of("libaio1", "libaio1t64")),
            new Library("libnuma.so.1", List.of("libnuma1")));

    private static final List<Path> COMMON = Stream.of(
                    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu")
            .map(Path::of)
            .toList();

    private NativeLibraries() {}

    /** What the server's process needs in its environment. */
    static Map<String, String> environment(Path servers) {
        List<Library> missing = NEEDED.stream().filter(l -> !isOnHost(l)).toList();
        if (missing.isEmpty()) {
            return Map.of();
        }
        Path folder = OncePerBuild.folder(servers.resolve("native"), into -> fetch(missing, into));
        String inherited = System.getenv("LD_LIBRARY_PATH");
        return Map.of(
                "LD_LIBRARY_PATH",
                inherited == null || inherited.isEmpty() ? folder.toString() : folder + ":" + inherited);
    }

    private static boolean isOnHost(Library library) {
        return COMMON.stream().anyMatch(folder -> Files.exists(folder.resolve(library.soname())));
    }

    private static void fetch(List<Library> missing, Path into) {
        for (Library library : missing) {
            StringBuilder tried = new StringBuilder();
            boolean found = library.packages().stream().anyMatch(name -> take(library, name, into, tried));
            if (!found) {
                throw new IllegalStateException(
                        ("mysqld needs %s, which this host lacks, and no package with it could be"
                                        + " fetched. Install %s (as root: apt-get install %s). Tried:%n%s")
                                .formatted(
                                        library.soname(),
                                        String.join(" or ", library.packages()),
                                        library.packages().get(0),
                                        tried));
            }
        }
    }

    private static boolean take(Library library, String packageName, Path into, StringBuilder tried) {
        Path work = into.resolve(packageName);
        try {
            Files.createDirectory(work);
            if (!download(packageName, work, tried)) {
                return false;
            }
            Path unpacked = Files.createDirectory(work.resolve("unpacked"));
            for (Path archive : filesOf(work, ".deb")) {
                Commands.require(work, Map.of(), List.of("dpkg", "-x", archive.toString(), unpacked.toString()));
            }
            // Since Debian 13 the file is libaio.so.1t64 and not a name the loader would find.
            for (Path file : filesOf(unpacked, "")) {
                if (file.getFileName().toString().startsWith(library.soname())) {
                    Files.copy(file, into.resolve(library.soname()));
                    Folders.delete(work);
                    return true;
                }
            }
            tried.append(packageName)
                    .append(" holds no ")
                    .append(library.soname())
                    .append('\n');
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** With the package lists of the host, or else with fresh ones in a folder of the tests, which needs no root. */
    private static boolean download(String packageName, Path work, StringBuilder tried) throws IOException {
        List<String> plain = List.of("apt-get", "download", packageName);
        if (succeeds(work, plain, tried)) {
            return true;
        }
        Path state = work.resolve("state");
        Files.createDirectories(state.resolve("lists/partial"));
        Files.createDirectories(state.resolve("cache/archives/partial"));
        List<String> own = List.of(
                "-o",
                "Dir::State=" + state,
                "-o",
                "Dir::State::status=/var/lib/dpkg/status",
                "-o",
                "Dir::Cache=" + state.resolve("cache"),
                "-o",
                "Acquire::Languages=none",
                "-o",
                "APT::Sandbox::User=");
        return succeeds(work, aptGet(own, "update"), tried)
                && succeeds(work, aptGet(own, "download", packageName), tried);
    }

    private static List<String> aptGet(List<String> options, String... verb) {
        List<String> command = new ArrayList<>(List.of("apt-get", "-q"));
        command.addAll(options);
        command.addAll(List.of(verb));
        return command;
    }

    private static boolean succeeds(Path work, List<String> command, StringBuilder tried) {
        try {
            Commands.Outcome outcome = Commands.run(work, Map.of(), command);
            if (!outcome.isSuccess()) {
                tried.append(String.join(" ", command)).append('\n').append(outcome.output());
            }
            return outcome.isSuccess();
        } catch (UncheckedIOException e) {
            tried.append(command.get(0))
                    .append(" is not there: ")
                    .append(e.getMessage())
                    .append('\n');
            return false;
        }
    }

    private static List<Path> filesOf(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            return files.filter(f -> Files.isRegularFile(f) && f.toString().endsWith(ending))
                    .toList();
        }
    }
}
