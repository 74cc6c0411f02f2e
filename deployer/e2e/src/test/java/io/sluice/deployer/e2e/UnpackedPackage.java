package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.OncePerBuild;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The package, unpacked once for all tests and JVMs, with its class archive, as after a first start. Each server has its own
 * configuration and scripts, and shares the jars: unpacking takes as much processor time as half a start.
 *
 * <p>Safe for use by several threads and processes.
 */
final class UnpackedPackage {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** What is never changed by a server. */
    private static final List<String> SHARED = List.of("lib", "plugin", "cache");

    private UnpackedPackage() {}

    /** Puts a server into an empty folder. */
    static void into(Path home) throws IOException {
        Path template = template();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(template)) {
            for (Path entry : entries) {
                Path target = home.resolve(entry.getFileName().toString());
                if (SHARED.contains(entry.getFileName().toString())) {
                    Folders.link(entry, target);
                } else {
                    Folders.copy(entry, target);
                }
            }
        }
    }

    private static Path template() throws IOException {
        Path archive = Path.of(System.getProperty("sluice.package", ""));
        String name = "package-%d-%d"
                .formatted(
                        Files.size(archive), Files.getLastModifiedTime(archive).toMillis());
        return OncePerBuild.folder(Path.of("target", "unpacked", name).toAbsolutePath(), into -> {
            Commands.require(into, Map.of(), List.of("tar", "xzf", archive.toString()));
            try {
                makeClassArchive(into);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Starts the server once as it is shipped; it has no source to connect to. */
    private static void makeClassArchive(Path home) throws IOException {
        Path config = home.resolve("conf/canal.properties");
        String shipped = Files.readString(config);
        Files.writeString(
                config,
                shipped
                        + "\ncanal.port = %d\ncanal.metrics.pull.port = %d\n"
                                .formatted(FreePorts.next(), FreePorts.next()));
        Map<String, String> environment = new HashMap<>();
        environment.put("JAVA_HOME", System.getProperty("java.home", ""));
        environment.put("JAVA_OPTS", PackagedServer.DEFAULT_OPTIONS);
        environment.put("SLUICE_CLASS_ARCHIVE", "2");
        run(home, environment, "startup.sh");
        await().atMost(PATIENCE).until(() -> {
            try (DirectoryStream<Path> archives = Files.newDirectoryStream(home.resolve("cache"), "classes-*.jsa")) {
                return archives.iterator().hasNext();
            }
        });
        run(home, environment, "stop.sh");
        Folders.delete(home.resolve("logs"));
        Files.createDirectory(home.resolve("logs"));
        Files.writeString(config, shipped);
    }

    private static void run(Path home, Map<String, String> environment, String script) throws IOException {
        try {
            ProcessBuilder builder = new ProcessBuilder(
                            home.resolve("bin").resolve(script).toString())
                    .redirectErrorStream(true)
                    .redirectOutput(home.resolve("logs/" + script + ".txt").toFile()); // a pipe would stay open
            builder.environment().putAll(environment);
            int code = builder.start().waitFor();
            if (code != 0) {
                throw new AssertionError("%s ended with %d:%n%s"
                        .formatted(script, code, Files.readString(home.resolve("logs/" + script + ".txt"))));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while running " + script, e));
        }
    }
}
