package io.sluice.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs a program of a folder with {@code lib/*.jar} and {@code classes/} in a JVM of its own, and waits for its end. */
public final class ChildJvm {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private ChildJvm() {}

    /**
     * Runs it.
     *
     * @return the lines of its standard output
     * @throws IllegalStateException if it fails, or does not end in time; with its standard error
     */
    public static List<String> run(Path home, String mainClass, List<String> arguments) {
        if (!Files.isDirectory(home.resolve("lib"))) {
            throw new IllegalStateException(home + " has no program: build the module testkit first");
        }
        List<String> command = new ArrayList<>(List.of(
                Commands.java(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                home.resolve("classes") + ":" + home.resolve("lib") + "/*",
                mainClass));
        command.addAll(arguments);
        Path folder = Folders.temporary("sluice-child-");
        Path errors = folder.resolve("errors");
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            try {
                return outcome(process, mainClass, errors);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Folders.delete(folder);
        }
    }

    private static List<String> outcome(Process process, String mainClass, Path errors) throws IOException {
        CompletableFuture<List<String>> output = CompletableFuture.supplyAsync(() -> {
            try (BufferedReader in =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                return in.lines().toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            List<String> lines = output.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(mainClass + " failed: " + Files.readString(errors));
            }
            return lines;
        } catch (TimeoutException e) {
            throw new IllegalStateException(mainClass + " did not end in time: " + Files.readString(errors), e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(mainClass + " cannot be read", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for " + mainClass, e);
        }
    }
}
