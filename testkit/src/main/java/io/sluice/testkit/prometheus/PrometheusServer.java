package io.sluice.testkit.prometheus;

import io.sluice.testkit.process.Folders;
import io.sluice.testkit.process.FreePorts;
import io.sluice.testkit.process.RestartableServer;
import io.sluice.testkit.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A Prometheus on a free port of 127.0.0.1, in a process of its own, that reads its targets every second.
 *
 * <p>It can be stopped, killed and started again on the same port with the same data, which are gone once it is closed.
 * It never outlives this JVM. For one thread at a time.
 */
public final class PrometheusServer extends RestartableServer {

    private final PrometheusInstallation installation;
    private final List<ScrapeTarget> targets;
    private final Path folder = Folders.temporary("sluice-prometheus-");
    private int port;

    private PrometheusServer(PrometheusInstallation installation, List<ScrapeTarget> targets) {
        this.installation = installation;
        this.targets = targets;
    }

    /**
     * Starts a Prometheus and returns when it has tried to read each target once, which takes some seven seconds: for the
     * first five it does not read its targets.
     *
     * @param targets no two of the same job
     * @throws io.sluice.testkit.debian.ServerUnavailableException if its package is not available, which skips a test
     *     skipped
     */
    public static PrometheusServer start(List<ScrapeTarget> targets) {
        long jobs = targets.stream().map(ScrapeTarget::job).distinct().count();
        if (jobs < targets.size()) {
            throw new IllegalArgumentException("two targets are of the same job: " + targets);
        }
        PrometheusServer server = new PrometheusServer(PrometheusInstallation.find(), List.copyOf(targets));
        return startOrClose(server, () -> {
            server.configure();
            server.launchOnFreePorts();
        });
    }

    /** Starts a Prometheus that reads the given targets. */
    public static PrometheusServer start(ScrapeTarget... targets) {
        return start(List.of(targets));
    }

    /** Where its pages and its web API are; the same for its whole life. */
    public int port() {
        return port;
    }

    /**
     * What a query gives now: a sample of each series, or of a scalar the one.
     *
     * @throws IllegalArgumentException with Prometheus's reason, if it does not take the query
     */
    public List<Sample> query(String promql) {
        return api().query(promql);
    }

    /**
     * The value of a query that gives one sample; empty if it gives none.
     *
     * @throws IllegalStateException if it gives more
     */
    public OptionalDouble value(String promql) {
        List<Sample> samples = query(promql);
        if (samples.size() > 1) {
            throw new IllegalStateException("%s gives more than one value: %s".formatted(promql, samples));
        }
        return samples.stream().mapToDouble(Sample::value).findFirst();
    }

    /** How the last reading of each target went. */
    public List<TargetHealth> targets() {
        return api().targets();
    }

    /** How the last reading of a job's target went. */
    public TargetHealth target(String job) {
        return targets().stream()
                .filter(target -> target.job().equals(job))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no target of the job " + job));
    }

    /** Ends the server at once and deletes its data. */
    @Override
    public void close() {
        killProcess(); // the data are not needed, so do not wait for them to be written
        Folders.delete(folder);
    }

    private WebApi api() {
        return new WebApi(port);
    }

    @Override
    protected void choosePorts() {
        port = FreePorts.next();
    }

    private void configure() {
        try {
            Files.writeString(configuration(), Configuration.of(targets), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path configuration() {
        return folder.resolve("prometheus.yml");
    }

    @Override
    protected ServerProcess startProcess() {
        List<String> command = installation.server(List.of(
                "--config.file=" + configuration(),
                "--storage.tsdb.path=" + folder.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port,
                // Else it may be another five seconds before targets that it has found are read.
                "--scrape.discovery-reload-interval=100ms",
                "--log.level=warn"));
        return ServerProcess.start(command, Map.of(), folder, folder.resolve("log"));
    }

    @Override
    protected String description() {
        return "Prometheus on port " + port;
    }

    @Override
    protected boolean answers() {
        try {
            return api().isReady() && hasReadAll(targets());
        } catch (UncheckedIOException | IllegalStateException e) {
            return false; // it does not listen yet, or this thread is to end
        }
    }

    private boolean hasReadAll(List<TargetHealth> found) {
        return found.size() == targets.size()
                && found.stream().noneMatch(target -> target.state() == TargetHealth.State.UNKNOWN);
    }
}
