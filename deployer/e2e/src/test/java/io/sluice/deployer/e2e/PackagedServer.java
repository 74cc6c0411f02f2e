package io.sluice.deployer.e2e;

import static org.awaitility.Awaitility.await;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The server as an operator runs it: unpacked from the package, configured by files, driven by its scripts.
 *
 * <p>It has one instance. It can be started, stopped and killed as often as wanted, and keeps its folder until it is
 * closed. For one thread.
 */
final class PackagedServer implements AutoCloseable {
    private static final Duration STOP_PATIENCE = Duration.ofMinutes(2);
    private static final Duration READ_PATIENCE = Duration.ofMinutes(2);
    private static final String READING = "reading the binlog: instance=";
    private static final int LOG_LINES_SHOWN = 60;
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    static final String DEFAULT_OPTIONS = "-Xms64m -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    private final Path folder = Folders.temporary("sluice-server-");
    private final Path home = folder.resolve("home");
    private final String instance;
    private final int metricsPort = FreePorts.next();
    private String javaOptions = DEFAULT_OPTIONS;
    private final Thread killer = new Thread(this::kill, "packaged-server-kill");

    /** The output and the exit code of a script. */
    record Outcome(int exitCode, String output) {}

    /**
     * Unpacks and configures a server.
     *
     * @param instance the name of its instance
     * @param serverSettings {@code canal.properties}
     * @param instanceSettings {@code instance.properties}
     */
    PackagedServer(String instance, Map<String, String> serverSettings, Map<String, String> instanceSettings) {
        this.instance = instance;
        try {
            Files.createDirectories(home);
            UnpackedPackage.into(home);
            Folders.delete(home.resolve("conf/example"));
            Files.createDirectories(instanceFolder());
            Files.writeString(
                    home.resolve("conf/canal.properties"),
                    lines(serverSettings)
                            + lines(Map.of(
                                    "canal.destinations",
                                    instance,
                                    "canal.metrics.pull.port",
                                    Integer.toString(metricsPort))));
            Files.writeString(instanceFolder().resolve("instance.properties"), lines(instanceSettings));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Runtime.getRuntime().addShutdownHook(killer);
    }

    private static String lines(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Where it was unpacked. */
    Path home() {
        return home;
    }

    /** Where the instance's configuration and its cursor are. */
    Path instanceFolder() {
        return home.resolve("conf").resolve(instance);
    }

    /** Sets one thing more for the instance; it counts from the next start on. */
    void configure(String key, String value) {
        append(instanceFolder().resolve("instance.properties"), key, value);
    }

    /** Sets one thing more in {@code canal.properties}, which counts from the next start on. */
    void configureServer(String key, String value) {
        append(home.resolve("conf/canal.properties"), key, value);
    }

    private static void append(Path file, String key, String value) {
        try {
            Files.writeString(file, lines(Map.of(key, value)), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets other options for Java, which count from the next start on. */
    void javaOptions(String options) {
        javaOptions = options;
    }

    /** The most memory that the process has had, in bytes. */
    long peakMemoryBytes() {
        return linesOf(Path.of("/proc", Long.toString(pid()), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the server does not run any more:\n" + logs()));
    }

    /** Starts it and returns when it says that it runs; fails with its logs if it does not. */
    void start() {
        Outcome outcome = tryToStart();
        if (outcome.exitCode() != 0) {
            throw new AssertionError("startup.sh ended with %d and said:%n%s%n%s"
                    .formatted(outcome.exitCode(), outcome.output(), logs()));
        }
    }

    /** Starts it, and says how that went. */
    Outcome tryToStart() {
        return run("startup.sh");
    }

    /**
     * Starts it in the foreground, as a container or a service manager does. It is ended by {@link Process#destroy}.
     *
     * @param environment what the process gets besides ours
     * @param out gets what it prints
     * @param errors gets what it writes to the error stream
     */
    Process startInForeground(Map<String, String> environment, Path out, Path errors) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        home.resolve("bin/startup.sh").toString(), "foreground")
                .redirectOutput(out.toFile())
                .redirectError(errors.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
        builder.environment().put("JAVA_OPTS", javaOptions);
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** Runs {@code sluice.sh}; the server need not run. */
    Outcome ask(String... arguments) {
        return run("sluice.sh", arguments);
    }

    /** Stops it, and returns what the script says. */
    Outcome tryToStop() {
        return run("stop.sh");
    }

    /** Stops it. */
    void stop() {
        Outcome outcome = tryToStop();
        if (outcome.exitCode() != 0) {
            throw new AssertionError(
                    "stop.sh ended with %d and said:%n%s%n%s".formatted(outcome.exitCode(), outcome.output(), logs()));
        }
    }

    /** Ends it by {@code kill -9}, if it runs. */
    void kill() {
        ProcessHandle.of(pid()).ifPresent(process -> {
            process.destroyForcibly();
            await().atMost(STOP_PATIENCE).until(() -> !process.isAlive());
        });
    }

    /** Freezes it, as an overloaded or moved machine does: its connections stay open, and nothing answers. */
    void pause() {
        Commands.require(home, Map.of(), List.of("kill", "-STOP", Long.toString(pid())));
    }

    /** Resumes it after a pause. */
    void resume() {
        Commands.require(home, Map.of(), List.of("kill", "-CONT", Long.toString(pid())));
    }

    /** Whether it runs. */
    boolean isRunning() {
        return ProcessHandle.of(pid()).filter(ProcessHandle::isAlive).isPresent();
    }

    /** Its process id, as it noted it; 0 if there is none. */
    long pid() {
        try {
            return Long.parseLong(
                    Files.readString(home.resolve("bin/canal.pid")).strip());
        } catch (NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The processor time that it has used since it was started. */
    Duration processorTime() {
        return ProcessHandle.of(pid())
                .flatMap(process -> process.info().totalCpuDuration())
                .orElseThrow(() -> new AssertionError("the server does not run any more:\n" + logs()));
    }

    /** Where its metrics are, on 127.0.0.1. */
    int metricsPort() {
        return metricsPort;
    }

    /** Its health page; blank if it does not answer. */
    String health() {
        URI page = URI.create("http://127.0.0.1:" + metricsPort + "/health");
        try {
            return HTTP.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** How many lines of the instance's log hold a text. */
    long logLinesWith(String text) {
        return logLinesOf(instance, text);
    }

    /** How many lines of the log of one of its instances hold a text. */
    long logLinesOf(String another, String text) {
        return linesOf(logOf(another)).stream()
                .filter(line -> line.contains(text))
                .count();
    }

    /** Starts it and waits until it reads the binlog, so that its start position is found. */
    void startToRead() {
        long before = logLinesWith(READING);
        start();
        await().alias("the binlog is read")
                .atMost(READ_PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> logLinesWith(READING) > before || !isRunning());
        if (!isRunning()) {
            throw new AssertionError("the server has ended:\n" + logs());
        }
    }

    /** Where its cursors went, a line for each that was written. */
    List<String> cursorNotes() {
        return linesOf(home.resolve("logs").resolve(instance).resolve("meta.log"));
    }

    /** How many lines it has logged in all. */
    long logLines() {
        return (long) linesOf(instanceLog()).size() + linesOf(serverLog()).size();
    }

    /** The ends of its logs, for messages. */
    String logs() {
        return logs(LOG_LINES_SHOWN);
    }

    /** All that it has logged and printed. */
    String wholeLogs() {
        return logs(Integer.MAX_VALUE);
    }

    private String logs(int lastLines) {
        return Stream.of(serverLog(), instanceLog(), standardOutput())
                .map(log -> {
                    List<String> lines = linesOf(log);
                    return log.getFileName() + ":\n"
                            + String.join("\n", lines.subList(Math.max(0, lines.size() - lastLines), lines.size()));
                })
                .collect(Collectors.joining("\n\n"));
    }

    /** The lines that it has printed; not the one that it is writing, which may end within a character. */
    List<String> printedLines() throws IOException {
        byte[] printed = Files.readAllBytes(standardOutput());
        int end = printed.length;
        while (end > 0 && printed[end - 1] != '\n') {
            end--;
        }
        return new String(printed, 0, end, StandardCharsets.UTF_8).lines().toList();
    }

    /** What the server itself printed; all else is in its logs. */
    Path standardOutput() {
        return home.resolve("logs/canal/canal_stdout.log");
    }

    private Path serverLog() {
        return home.resolve("logs/canal/canal.log");
    }

    private Path instanceLog() {
        return logOf(instance);
    }

    private Path logOf(String name) {
        return home.resolve("logs").resolve(name).resolve(name + ".log");
    }

    private static List<String> linesOf(Path log) {
        try {
            return Files.exists(log)
                    ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                            .lines()
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs a script; its words go to a file, since the server would inherit a pipe and keep it open. */
    private Outcome run(String script, String... arguments) {
        try {
            Path words = folder.resolve("words.txt");
            List<String> command = new ArrayList<>();
            command.add(home.resolve("bin").resolve(script).toString());
            command.addAll(List.of(arguments));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(words.toFile());
            builder.environment().put("JAVA_HOME", System.getProperty("java.home", ""));
            builder.environment().put("JAVA_OPTS", javaOptions);
            builder.environment().put("SLUICE_START_SECONDS", "240");
            int code = builder.start().waitFor();
            return new Outcome(code, Files.readString(words));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while running " + script, e);
        }
    }

    @Override
    public void close() {
        kill();
        Runtime.getRuntime().removeShutdownHook(killer);
        Folders.delete(folder);
    }
}
