package io.sluice.admin.fleet;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A Sluice server as an operator runs it: unpacked from its package, driven by its scripts. For one thread. */
final class PackagedSluice implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder = Folders.temporary("sluice-admin-it-");
    private final Path home = folder.resolve("home");

    /**
     * Unpacks and configures one.
     *
     * @param instance the name of its only instance
     */
    PackagedSluice(String instance, List<String> serverLines, List<String> instanceLines) throws IOException {
        Files.createDirectories(home);
        run(List.of(
                "tar",
                "-xzf",
                System.getProperty("sluice.package", ""),
                "-C",
                home.toString(),
                "--strip-components=0"));
        Folders.delete(home.resolve("conf/example"));
        Files.createDirectories(home.resolve("conf").resolve(instance));
        List<String> all = new ArrayList<>(serverLines);
        all.add("canal.destinations = " + instance);
        Files.write(home.resolve("conf/canal.properties"), all);
        Files.write(home.resolve("conf").resolve(instance).resolve("instance.properties"), instanceLines);
    }

    void start() {
        run(List.of(home.resolve("bin/startup.sh").toString()));
    }

    /** Runs {@code sluice.sh}, and returns what it prints. */
    String ask(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin/sluice.sh").toString()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    Path home() {
        return home;
    }

    void kill() throws IOException {
        Path file = home.resolve("bin/canal.pid");
        if (Files.exists(file)) {
            ProcessHandle.of(Long.parseLong(Files.readString(file).strip())).ifPresent(process -> {
                process.destroyForcibly();
                await().atMost(PATIENCE).until(() -> !process.isAlive());
            });
        }
    }

    /** Its output goes to a file, since the server would inherit a pipe and keep it open. */
    private String run(List<String> command) {
        Path words = folder.resolve("words.txt");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(words.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
            builder.environment().put("JAVA_OPTS", "-Xms64m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");
            builder.environment().put("SLUICE_START_SECONDS", "240");
            int code = builder.start().waitFor();
            String output = Files.readString(words);
            if (code != 0) {
                throw new AssertionError("%s ended with %d: %s".formatted(command, code, output));
            }
            return output;
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        kill();
        Folders.delete(folder);
    }
}
