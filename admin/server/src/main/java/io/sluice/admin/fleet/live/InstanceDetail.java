package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.watch.InstanceReport;
import io.sluice.admin.fleet.watch.Position;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that is known of an instance: {@code InstanceDetail} of the API. */
public record InstanceDetail(
        InstanceSummary summary,
        List<Stage> stages,
        @Nullable Position position,
        Limits limits,
        @Nullable String pauseReason,
        @Nullable String pausedSince,
        @Nullable String pauseAt,
        @Nullable String newestEvent,
        @Nullable Long deliveredRows,
        @Nullable Long deliveredBytes,
        @Nullable Long deliveredMessages,
        @Nullable String configurationProblem,
        @Nullable String retryAt,
        List<InstanceError> errors,
        List<OnServer> servers,
        List<String> capabilities) {

    private static final List<String> OF_SLUICE = List.of(
            "start", "stop", "restart", "release", "pause", "resume", "reload", "limit", "cursor", "changes", "tables",
            "errors", "log");
    private static final List<String> OF_CANAL = List.of("start", "stop", "restart", "release", "log");

    /** Limits of rates; 0: none. */
    public record Limits(long rowsPerSecond, long bytesPerSecond) {}

    /** The report of a server. */
    public record OnServer(long serverId, String serverName, String state, boolean running) {}

    /**
     * Returns all that is known.
     *
     * @param errors the newest, newest first
     */
    public static InstanceDetail of(InstanceView view, List<InstanceError> errors) {
        InstanceView.Place runner = view.runner();
        InstanceReport report =
                runner == null ? view.asked().map(InstanceView.Place::report).orElse(null) : runner.report();
        InstanceReport.Pace pace = report == null ? InstanceReport.Pace.NONE : report.pace();
        InstanceReport.Store store = report == null ? null : report.store();
        InstanceReport.Sender sender = report == null ? null : report.sender();
        InstanceReport.Source source = report == null ? null : report.source();
        List<OnServer> servers = new ArrayList<>();
        for (InstanceView.Place place : view.places()) {
            servers.add(new OnServer(place.server().id(), place.server().name(), place.state(), place.isRunning()));
        }
        return new InstanceDetail(
                view.summary(),
                Stages.of(report),
                report == null ? null : report.position(),
                new Limits(pace.rowsPerSecond(), pace.bytesPerSecond()),
                pace.reason(),
                pace.since(),
                pace.pauseAt(),
                source == null ? null : source.newestEvent(),
                Merger.known(store == null ? -1 : store.deliveredRows()),
                Merger.known(sender == null ? -1 : sender.deliveredBytes()),
                Merger.known(sender == null ? -1 : sender.deliveredMessages()),
                report == null ? null : report.configurationProblem(),
                report == null ? null : report.retryAt(),
                errors,
                List.copyOf(servers),
                capabilities(view));
    }

    /** What can be asked of the server that runs it, or would be asked. */
    static List<String> capabilities(InstanceView view) {
        InstanceView.Place asked = view.asked().orElse(null);
        if (asked == null || !asked.status().state().isAnswering()) {
            return List.of();
        }
        if (asked.server().controlUrl() != null) {
            return asked.knowsIt() ? OF_SLUICE : List.of();
        }
        return OF_CANAL;
    }
}
