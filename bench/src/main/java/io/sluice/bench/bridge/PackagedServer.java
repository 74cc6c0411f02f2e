package io.sluice.bench.bridge;

import io.sluice.testkit.process.Commands;
import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A package of the server, used like an operator does: unpacked, configured, and started by its script with {@code JAVA_OPTS}. */
public final class PackagedServer implements Bridge {
    private static final String CACHE = "cache";
    private static final Duration DELIVERY_LIMIT = Duration.ofSeconds(60);

    private final String name;
    private final Path archive;
    private final List<String> moreSettings;
    private final @Nullable Profiler profiler;
    private int profiles;
    private int metricsPort;
    private @Nullable Path classes;

    /**
     * Creates a bridge.
     *
     * @param archive the package, a tar.gz
     * @param moreSettings lines for its {@code canal.properties}
     */
    public PackagedServer(String name, Path archive, List<String> moreSettings) {
        this(name, archive, moreSettings, null);
    }

    /** A packaged server of which each run has a flame graph, if there is a profiler. */
    public PackagedServer(String name, Path archive, List<String> moreSettings, @Nullable Profiler profiler) {
        this.name = name;
        this.archive = archive;
        this.moreSettings = List.copyOf(moreSettings);
        this.profiler = profiler;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String family() {
        return "sluice";
    }

    /**
     * Starts and stops the server once and creates its archive of classes, which an operator's server has at every start but
     * the first. Only the archive is kept.
     */
    @Override
    public void prepare(BridgeJob job) throws IOException, InterruptedException {
        Path folder = job.folder().resolveSibling(name() + "-classes");
        try {
            unpack(job);
            startUnpacked(job, Map.of());
            awaitDelivery(
                    home(job).resolve("conf").resolve(BridgeJob.DESTINATION).resolve("meta.dat"));
            stop(job);
            if (Files.exists(home(job).resolve(CACHE))) { // else SLUICE_CLASS_ARCHIVE is off
                Commands.require(home(job), Map.of(), List.of("bin/sluice.sh", "warm"));
                Folders.delete(folder);
                Files.move(home(job).resolve(CACHE), folder);
                classes = folder;
            }
        } finally {
            stop(job);
            Folders.delete(home(job));
        }
    }

    /** Waits until the server has saved a cursor, which it does when the broker has acknowledged a batch. */
    private static void awaitDelivery(Path cursors) throws IOException, InterruptedException {
        for (long end = System.nanoTime() + DELIVERY_LIMIT.toNanos(); System.nanoTime() < end; Thread.sleep(200)) {
            if (Files.exists(cursors) && Files.readString(cursors).contains("\"cursor\"")) {
                return;
            }
        }
        throw new IllegalStateException("nothing was delivered within " + DELIVERY_LIMIT + " of the first start");
    }

    @Override
    public long start(BridgeJob job) throws IOException {
        unpack(job);
        Map<String, String> environment = new HashMap<>();
        if (profiler != null) {
            String options = Objects.requireNonNullElse(System.getenv("JAVA_OPTS"), "");
            String profile = "%s-%s-%d".formatted(job.cell().name(), name, ++profiles);
            environment.put("JAVA_OPTS", options + " " + profiler.option(profile));
        }
        if (classes == null) {
            environment.put("SLUICE_CLASS_ARCHIVE", "off");
            return startUnpacked(job, environment);
        }
        Commands.require(
                home(job),
                Map.of(),
                List.of("cp", "-a", classes.toString(), home(job).resolve(CACHE).toString()));
        return startUnpacked(job, environment);
    }

    private void unpack(BridgeJob job) throws IOException {
        Path home = home(job);
        Files.createDirectories(home);
        Commands.require(home, Map.of(), List.of("tar", "xzf", archive.toString()));
        Files.write(home.resolve("conf/canal.properties"), serverSettings(job));
        job.writeInstance(home.resolve("conf"));
    }

    private static long startUnpacked(BridgeJob job, Map<String, String> environment) throws IOException {
        Path home = home(job);
        Path output = job.folder().resolve("startup.out");
        int status = Script.run(
                home,
                environment,
                output,
                List.of(home.resolve("bin/startup.sh").toString()));
        if (status != 0) {
            throw new IllegalStateException(
                    "startup.sh ended with status %d: %s".formatted(status, Script.tail(output)));
        }
        return Long.parseLong(Files.readString(home.resolve("bin/canal.pid")).strip());
    }

    /** The settings that the bench needs; all others are as shipped. */
    private List<String> serverSettings(BridgeJob job) {
        List<String> lines = new ArrayList<>(job.serverSettings());
        lines.add("canal.port = " + FreePorts.next());
        metricsPort = FreePorts.next();
        lines.add("canal.metrics.pull.port = " + metricsPort);
        lines.addAll(moreSettings);
        return lines;
    }

    @Override
    public long ackedRows() throws IOException {
        return ackedRows(metricsPort);
    }

    /** The number of acknowledged rows, from the metrics of a server. */
    public static long ackedRows(int metricsPort) throws IOException {
        URL metrics =
                URI.create("http://127.0.0.1:%d/metrics".formatted(metricsPort)).toURL();
        try (InputStream in = metrics.openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("canal_instance_ack_rows{"))
                    .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf('}') + 1)))
                    .sum();
        }
    }

    @Override
    public void stop(BridgeJob job) throws IOException {
        Path script = home(job).resolve("bin/stop.sh");
        if (Files.exists(script)) {
            Script.run(
                    home(job),
                    Map.of("SLUICE_STOP_SECONDS", "10"),
                    job.folder().resolve("stop.out"),
                    List.of(script.toString()));
        }
    }

    @Override
    public String logTail(BridgeJob job) throws IOException {
        Path logs = home(job).resolve("logs");
        return Script.tail(logs.resolve("canal/canal.log"))
                + "\n"
                + Script.tail(logs.resolve(BridgeJob.DESTINATION + "/" + BridgeJob.DESTINATION + ".log"))
                + "\n"
                + Script.tail(logs.resolve("canal/canal_stdout.log"));
    }

    private static Path home(BridgeJob job) {
        return job.folder().resolve("server");
    }
}
