package io.sluice.admin.e2e;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A package that was unpacked into a folder of its own, and is driven by its scripts. For one thread. */
final class UnpackedServer implements AutoCloseable {
    private static final String JAVA_OPTIONS = "-Xms64m -Xmx384m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    private final Path home;
    private final Map<String, String> environment;

    /**
     * Unpacks a package.
     *
     * @param property the system property with its path
     * @param environment more variables for its scripts
     */
    UnpackedServer(String property, Map<String, String> environment) throws IOException {
        Path archive = Path.of(System.getProperty(property, ""));
        if (!Files.isRegularFile(archive)) {
            throw new IllegalStateException("there is no package " + archive + "; ./mvnw package makes it");
        }
        this.home = Folders.temporary("sluice-pages-");
        this.environment = environment;
        Commands.require(home, Map.of(), List.of("tar", "xzf", archive.toString()));
    }

    Path home() {
        return home;
    }

    void write(String file, String text) throws IOException {
        Path path = home.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** Starts it; fails with what the script printed. */
    void start() {
        run("startup.sh");
    }

    void stop() {
        run("stop.sh");
    }

    /** Runs a script of {@code bin/}. */
    String run(String script, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(home.resolve("bin").resolve(script).toString());
        command.addAll(List.of(arguments));
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", System.getProperty("java.home", ""));
        all.put("JAVA_OPTS", JAVA_OPTIONS);
        all.put("SLUICE_CLASS_ARCHIVE", "off");
        all.put("SLUICE_START_SECONDS", "240"); // several servers start at the same time
        return Commands.require(home, all, command);
    }

    /** The ends of its logs. */
    String logs() throws IOException {
        StringBuilder text = new StringBuilder();
        try (Stream<Path> files = Files.walk(home.resolve("logs"))) {
            for (Path file : files.filter(one -> one.toString().endsWith(".log"))
                    .filter(one -> !one.endsWith("gc.log"))
                    .toList()) {
                List<String> lines = Files.readAllLines(file);
                text.append("\n--- ").append(file.getFileName()).append('\n');
                lines.subList(Math.max(0, lines.size() - 40), lines.size())
                        .forEach(line -> text.append(line).append('\n'));
            }
        }
        return text.toString();
    }

    @Override
    public void close() {
        try {
            stop();
        } finally {
            Folders.delete(home);
        }
    }
}
