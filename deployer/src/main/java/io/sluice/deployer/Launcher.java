package io.sluice.deployer;

import ch.qos.logback.classic.LoggerContext;
import io.sluice.deployer.log.InstanceLogs;
import io.sluice.deployer.log.RemovedLogFiles;
import io.sluice.protocol.file.PrivateFiles;
import io.sluice.protocol.time.Time;
import io.sluice.server.SluiceServer;
import io.sluice.server.config.Configuration;
import io.sluice.server.config.load.ConfigReader;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.remote.AdminException;
import io.sluice.server.config.server.ServerMode;
import io.sluice.server.config.text.ConfigException;
import io.sluice.server.config.text.Environment;
import io.sluice.server.config.text.Warning;
import io.sluice.server.port.ServerTls;
import io.sluice.server.version.BuildVersion;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The process: reads the configuration, starts the server, and ends with an exit code.
 *
 * <p>What the operator must see is written to the log and to the error stream, which the start script shows, unless the log is
 * written there.
 */
public final class Launcher {
    /** The server was stopped by a signal. */
    static final int STOPPED = 0;
    /** The server could not start, or could not continue. */
    static final int FAILED = 1;
    /** The configuration is wrong; nothing was started. */
    static final int BAD_CONFIGURATION = 2;

    private static final String CLASSPATH = "classpath:";
    private static final Duration STOP_LIMIT = Duration.ofSeconds(30);

    /** How long instances may take to read their sources before the start counts as done; less than {@code startup.sh} waits. */
    private static final Duration START_LIMIT = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);
    private static final BuildVersion VERSION = BuildVersion.ofThisBuild();

    private final Path configFile;
    private final Path baseDirectory;
    private final Environment environment;
    private final ServerStarter starter;
    private final Optional<Path> startedFile;
    private final PrintStream errors;

    /**
     * Creates a launcher; {@link #run} starts the server.
     *
     * @param configFile the server's file
     * @param baseDirectory the base of relative paths; {@code plugin/} is beside it
     * @param startedFile created when the server runs, and removed when it has ended in good order, so that scripts can wait for the one and see the other
     */
    Launcher(
            Path configFile,
            Path baseDirectory,
            Environment environment,
            ServerStarter starter,
            Optional<Path> startedFile,
            PrintStream errors) {
        this.configFile = configFile;
        this.baseDirectory = baseDirectory;
        this.environment = environment;
        this.starter = starter;
        this.startedFile = startedFile;
        this.errors = errors;
    }

    public static void main(String[] args) {
        Locale.setDefault(
                Locale.ENGLISH); // else numbers in texts that programs read have the digits of the system's language
        AddressCache.limit();
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> LOG.error("uncaught exception: thread={}", thread.getName(), failure));
        Consumer<Supplier<Set<String>>> keepLogs = watchLogs();
        ServerTls.rejectRenegotiation();
        removeAtTheEnd(System.getProperty("sluice.pid.file"));
        Environment environment = Environment.ofThisProcess();
        Path workingDirectory = Path.of("").toAbsolutePath();
        Launcher launcher = new Launcher(
                configFile(System.getProperty("canal.conf", CLASSPATH + "canal.properties"), workingDirectory),
                workingDirectory,
                environment,
                (configuration, connectors, source) -> startServer(configuration, connectors, source, keepLogs),
                Optional.ofNullable(System.getProperty("sluice.started.file")).map(Path::of),
                // With the log on the error stream, it is there already, in the form that its readers expect.
                System.getProperty("sluice.log.console") == null
                        ? System.err
                        : new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
        int code = FAILED;
        try {
            code = launcher.run();
        } catch (Throwable e) { // the top of the main thread: whatever it is, the operator must see it
            launcher.report("the server fails", e);
        }
        System.exit(code);
    }

    /** Returns what is told which instances there are, whose logs stay open. */
    private static Consumer<Supplier<Set<String>>> watchLogs() {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            InstanceLogs logs = new InstanceLogs(context);
            RemovedLogFiles.watch(context, logs, Time.SYSTEM);
            return logs::keepOpenFor;
        }
        return instances -> {};
    }

    /** Removes the pid file of a server in the foreground, which no script outlives. */
    private static void removeAtTheEnd(@Nullable String pidFile) {
        if (pidFile == null) {
            return;
        }
        Thread removal = new Thread(
                () -> {
                    try {
                        Files.deleteIfExists(Path.of(pidFile));
                    } catch (IOException e) {
                        // the next start, or stop.sh, reports it as a left-over
                    }
                },
                "remove-pid-file");
        Runtime.getRuntime().addShutdownHook(removal);
    }

    /** Starts the server with the connector of its mode. */
    private static RunningServer startServer(
            Configuration configuration,
            Connectors connectors,
            ConfigSource source,
            Consumer<Supplier<Set<String>>> keepLogs)
            throws IOException {
        ServerMode mode = configuration.server().mode();
        SluiceServer server = mode.isQueue()
                ? SluiceServer.start(configuration, source, connectors.forMode(mode))
                : SluiceServer.start(configuration, source);
        keepLogs.accept(server::knownInstances);
        return new RunningServer() {
            @Override
            public void awaitTermination() throws InterruptedException {
                server.awaitTermination();
            }

            @Override
            public boolean awaitStart(Duration limit) throws InterruptedException {
                return server.awaitStart(limit);
            }

            @Override
            public List<String> problems() {
                return server.problems();
            }

            @Override
            public List<String> failures() {
                return server.failures();
            }

            @Override
            public void stop(Duration limit) {
                server.stop(limit);
            }

            @Override
            public List<String> endProblems() {
                return server.endProblems();
            }
        };
    }

    /** Runs until the server ends; the result is the exit code. */
    int run() {
        LOG.info(
                "the canal server is starting: version={} commit={} committed={} java={} vendor={} system={} {} zone={}",
                VERSION.version(),
                VERSION.commitText(),
                VERSION.committedText(),
                BuildVersion.java(),
                System.getProperty("java.vendor"),
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                ZoneId.systemDefault());
        ClassLoader resources =
                ResourceFolder.loader(baseDirectory.resolve("../conf").normalize());
        Thread.currentThread().setContextClassLoader(resources);
        Connectors connectors = new Connectors(
                new PluginLoader(baseDirectory.resolve("../plugin").normalize(), resources));
        Configuration configuration;
        ConfigReader reader = new ConfigReader(configFile, baseDirectory, environment, connectors, Time.SYSTEM);
        try {
            connectors.load();
            configuration = reader.start();
        } catch (AdminException e) {
            report("the server does not start, " + e.getMessage(), null);
            return FAILED;
        } catch (ConfigException e) {
            report("the server does not start, " + e.getMessage(), null);
            return BAD_CONFIGURATION;
        } catch (Exception | LinkageError | ServiceConfigurationError e) {
            report("the server does not start", e);
            return FAILED;
        }
        Warning.texts(configuration.warnings()).forEach(LOG::warn);
        RunningServer server;
        try {
            server = starter.start(configuration, connectors, reader);
        } catch (Exception e) {
            report("the server does not start", e);
            return FAILED;
        }
        ServerStop stop = new ServerStop(server, STOP_LIMIT, startedFile, errors);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndEndLog(stop), "stop"));
        try {
            LOG.info(
                    "the canal server is running now: instances={}",
                    configuration.server().destinations());
            if (awaitStart(server, stop, warned(configuration))) {
                server.awaitTermination();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            server.stop(STOP_LIMIT);
            return STOPPED;
        }
        if (!stop.hasBegun()) {
            report("the server has stopped by itself, since all its instances have failed", null);
            try {
                server.failures().forEach(line -> report(line, null));
            } catch (RuntimeException | Error e) {
                report("why could not be determined", e);
            }
            server.stop(STOP_LIMIT);
            return FAILED;
        }
        return STOPPED;
    }

    /** How many warnings of the configuration are in the log; none for none. */
    private static List<String> warned(Configuration configuration) {
        int count = configuration.warnings().size();
        return count == 0
                ? List.of()
                : List.of("the configuration has %s: bin/sluice.sh check shows %s, as does logs/canal/canal.log"
                        .formatted(count == 1 ? "1 warning" : count + " warnings", count == 1 ? "it" : "them"));
    }

    /**
     * Returns whether the server has not ended.
     *
     * @param notes shown after the problems of the instances
     */
    private boolean awaitStart(RunningServer server, ServerStop stop, List<String> notes) throws InterruptedException {
        List<String> problems;
        try {
            if (!server.awaitStart(START_LIMIT)) {
                return false;
            }
            problems = server.problems();
        } catch (RuntimeException | Error e) { // a defect of what reports the state is no reason to end
            LOG.error("the state of the instances could not be determined, the server continues", e);
            problems = List.of("the state of the instances could not be determined: %s; logs/canal/canal.log has more"
                    .formatted(e.getMessage() == null ? e : e.getMessage()));
        }
        List<String> shown = Stream.of(problems, notes).flatMap(List::stream).toList();
        try {
            stop.markUnlessBegun(() -> markStarted(shown));
        } catch (IOException e) { // as on a disk that is full of logs: that is no reason to deliver nothing
            LOG.error("the server runs, but the file that shows that cannot be written", e);
            errors.println(
                    "the server runs, but the file that shows that cannot be written, so startup.sh reports that it is still starting: "
                            + e.getMessage());
        }
        return true;
    }

    /** The script shows what follows the second line. */
    private void markStarted(List<String> problems) throws IOException {
        if (startedFile.isPresent()) {
            Path file = startedFile.get();
            Path work = file.resolveSibling(file.getFileName() + ".new"); // the script must not see it half written
            PrivateFiles.createEmpty(work);
            Files.writeString(
                    work,
                    "%d%n%s, commit %s%n%s"
                            .formatted(
                                    ProcessHandle.current().pid(),
                                    VERSION.version(),
                                    VERSION.commitText(),
                                    problems.stream()
                                            .map(line -> line + System.lineSeparator())
                                            .collect(Collectors.joining())));
            Files.move(work, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static void stopAndEndLog(ServerStop stop) {
        stop.run();
        ILoggerFactory loggers = LoggerFactory.getILoggerFactory();
        if (loggers instanceof LoggerContext context) {
            context.stop();
        }
    }

    private void report(String what, @Nullable Throwable cause) {
        if (cause == null) {
            LOG.error(what);
            errors.println(what);
        } else {
            LOG.error(what, cause);
            if (isExplained(cause)) {
                errors.println(what + ": " + cause.getMessage());
                return;
            }
            StringWriter trace = new StringWriter();
            cause.printStackTrace(new PrintWriter(trace));
            errors.println(what + ": " + trace);
        }
    }

    /** Whether the message alone states what to do: exceptions of Sluice are written for operators, as are those of ports and files. */
    private static boolean isExplained(Throwable cause) {
        return cause.getMessage() != null
                && (cause instanceof IOException || cause.getClass().getName().startsWith("io.sluice."));
    }

    /** Reads canal's way of naming a file: a path, or {@code classpath:} and a resource. */
    static Path configFile(String name, Path workingDirectory) {
        if (name.startsWith(CLASSPATH)) {
            URL resource = Launcher.class.getClassLoader().getResource(name.substring(CLASSPATH.length()));
            if (resource == null) {
                return workingDirectory.resolve("../conf").normalize().resolve(name.substring(CLASSPATH.length()));
            }
            try {
                return Path.of(new URI(resource.toString()));
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("not a file: " + resource, e);
            }
        }
        return workingDirectory.resolve(name).normalize();
    }
}
