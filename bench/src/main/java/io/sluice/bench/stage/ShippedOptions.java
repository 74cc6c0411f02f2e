package io.sluice.bench.stage;

import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The JVM options of the start script. The script is run with a {@code java} that prints its arguments, so the options are those that
 * it chooses for this machine and for {@code JAVA_OPTS}.
 */
final class ShippedOptions {
    private static final String JAVA_THAT_PRINTS = """
            #!/bin/sh
            case " $* " in
                *" io.sluice.deployer.Launcher "*) for one in "$@"; do printf '%%s\\n' "$one"; done ;;
                *) exec '%s' "$@" ;;
            esac
            """;

    /** Options that name files of an installed package: logs, dumps, and an archive of classes. */
    private static final List<String> OF_A_PACKAGE = List.of(
            "-Xlog",
            "-Xshare",
            "-XX:SharedArchiveFile",
            "-XX:DumpLoadedClassList",
            "-XX:HeapDumpPath",
            "-XX:+HeapDumpOnOutOfMemoryError");

    private ShippedOptions() {}

    /**
     * Runs the start script.
     *
     * @param scripts the folder of the package's scripts
     * @param work an empty folder
     * @param java the program that would run
     */
    static List<String> of(Path scripts, Path work, Path java) throws IOException {
        Path bin = Files.createDirectories(work.resolve("bin"));
        try (Stream<Path> files = Files.list(scripts)) {
            for (Path file : files.toList()) {
                Files.copy(file, bin.resolve(file.getFileName().toString()));
            }
        }
        Files.createFile(Files.createDirectories(work.resolve("conf")).resolve("canal.properties"));
        Path printer = work.resolve("java");
        Files.writeString(printer, JAVA_THAT_PRINTS.formatted(java));
        Files.setPosixFilePermissions(printer, PosixFilePermissions.fromString("rwx------"));
        String printed = Commands.require(
                work,
                Map.of("JAVA", printer.toString()),
                List.of("bash", bin.resolve("startup.sh").toString(), "foreground"));
        return printed.lines()
                .filter(word -> word.startsWith("-X") || word.equals("-server"))
                .filter(word -> OF_A_PACKAGE.stream().noneMatch(word::startsWith))
                .toList();
    }
}
