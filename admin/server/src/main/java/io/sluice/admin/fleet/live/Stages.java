package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.watch.InstanceReport;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes the states of the stages of an instance, from the numbers that its server reports. Has no state. */
public final class Stages {
    private static final Set<String> SOURCE_STALLS = Set.of("source", "reader");
    private static final Set<String> PARSER_STALLS = Set.of("encoders");
    private static final Set<String> SINK_STALLS = Set.of("sender", "broker", "clients");

    private static final double KIB = 1024;
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB");

    private Stages() {}

    /**
     * The four stages.
     *
     * @param report null: no server runs it
     */
    public static List<Stage> of(@Nullable InstanceReport report) {
        if (report == null) {
            return List.of(unknown("source"), unknown("parser"), unknown("store"), unknown("sink"));
        }
        return List.of(source(report), parser(report), store(report), sink(report));
    }

    private static Stage unknown(String name) {
        return new Stage(name, "unknown", null, null, null, null);
    }

    private static Stage source(InstanceReport report) {
        InstanceReport.Source source = report.source();
        InstanceReport.Failure failure = report.failure();
        InstanceReport.Stall stall = report.stall();
        InstanceReport.Store store = report.store();
        String state = "ok";
        String detail = null;
        if (failure != null) {
            state = "failed";
            detail = failure.kind(); // the problem of the instance has the message and the remedy
        } else if (stall != null && SOURCE_STALLS.contains(stall.stage())) {
            state = "stalled";
            detail = stall.meaning();
        } else if (source == null) {
            state = "unknown";
        } else if (report.state().equals("failed")) {
            state = "failed";
        } else if (!report.state().equals("running")) {
            state = "waiting";
            detail = report.state();
        } else if (store != null && store.isFull()) {
            state = "waiting";
            detail = "the store is full, so nothing is read";
        }
        return new Stage(
                "source",
                state,
                Merger.known(source == null ? -1 : source.receivedPerSecond()),
                Merger.known(source == null ? -1 : source.lagBytes()),
                null,
                detail);
    }

    private static Stage parser(InstanceReport report) {
        InstanceReport.Stall stall = report.stall();
        InstanceReport.Store store = report.store();
        if (stall != null && PARSER_STALLS.contains(stall.stage())) {
            return new Stage("parser", "stalled", null, null, null, stall.meaning());
        }
        if (report.source() == null) {
            return unknown("parser");
        }
        if (report.state().equals("failed")) {
            return unknown("parser");
        }
        boolean isFull = store != null && store.isFull();
        return new Stage(
                "parser",
                isFull ? "waiting" : "ok",
                Merger.known(store == null ? -1 : store.readPerSecond()),
                null,
                null,
                isFull ? "the store is full" : null);
    }

    private static Stage store(InstanceReport report) {
        InstanceReport.Store store = report.store();
        if (store == null) {
            return unknown("store");
        }
        return new Stage(
                "store",
                store.isFull() ? "full" : "ok",
                null,
                Merger.known(store.entries()),
                Merger.known(store.capacityEntries()),
                store.capacityBytes() > 0
                        ? "%s / %s".formatted(size(store.bytes()), size(store.capacityBytes()))
                        : null);
    }

    /** Bytes for people, in words of no language. */
    private static String size(long bytes) {
        double amount = Math.max(0, bytes);
        int unit = 0;
        while (amount >= KIB && unit < UNITS.size() - 1) {
            amount /= KIB;
            unit++;
        }
        String digits = amount == Math.rint(amount) ? "%.0f" : "%.1f";
        return String.format(Locale.ROOT, digits, amount) + " " + UNITS.get(unit);
    }

    private static Stage sink(InstanceReport report) {
        InstanceReport.Sender sender = report.sender();
        InstanceReport.Stall stall = report.stall();
        Long inFlight = Merger.known(sender == null ? -1 : sender.batchesInFlight());
        String state;
        String detail = null;
        if (report.pace().paused()) {
            state = "paused";
            detail = report.pace().reason();
        } else if (stall != null && SINK_STALLS.contains(stall.stage())) {
            state = "stalled";
            detail = stall.meaning();
        } else if (sender == null) {
            state = report.store() == null ? "unknown" : "ok";
            detail = report.store() == null ? null : "clients pull";
        } else {
            state = switch (sender.state()) {
                case "running" -> "ok";
                case "failed" -> "failed";
                case "settling", "backing_off" -> "waiting";
                default -> "unknown";
            };
            detail = state.equals("waiting") ? "a delivery has failed and is tried again" : null;
        }
        return new Stage("sink", state, report.rowsPerSecond(), inFlight, null, detail);
    }
}
