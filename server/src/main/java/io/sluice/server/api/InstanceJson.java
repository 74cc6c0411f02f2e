package io.sluice.server.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.Missing;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.ErrorLog;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.RateLimits;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.source.schema.FilterChange;
import io.sluice.stream.source.watch.Lag;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes the state of an instance as JSON. */
final class InstanceJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A message may have a GTID set of many servers; all of it is among the errors. */
    private static final int LONGEST_CAUSE = 300;

    /** The parts of errors that explain a stall. */
    private static final String SOURCE = "source";

    private static final String DELIVERY = "delivery";

    private InstanceJson() {}

    /**
     * The state of an instance.
     *
     * @param nowMillis the time of the wall clock
     */
    static ObjectNode of(InstanceSnapshot snapshot, long nowMillis) {
        ObjectNode json = JSON.createObjectNode().put("destination", snapshot.destination());
        json.put("state", state(snapshot));
        Missing missing = snapshot.missing();
        boolean isMissed = missing != null && missing.reason().needsAction();
        json.put("healthy", snapshot.health().map(InstanceHealth::isWell).orElse(!isMissed));
        pace(json, snapshot.pace());
        json.putObject("throughput")
                .put("rowsPerSecond", Math.round(snapshot.throughput().rowsPerSecond()))
                .put("bytesPerSecond", Math.round(snapshot.throughput().bytesPerSecond()));
        snapshot.instance().ifPresent(instance -> instance(json, instance, nowMillis));
        snapshot.health().ifPresent(health -> health(json, snapshot, health));
        ErrorLog.Item cause = cause(snapshot, nowMillis);
        if (cause != null) {
            cause(json.putObject("cause"), cause);
        }
        json.put("configurationProblem", snapshot.problem());
        json.put("retryAt", text(snapshot.retryAt()));
        return json;
    }

    /**
     * The states of instances. GTID sets that are too long for a list are left out.
     *
     * @param nowMillis the time of the wall clock
     */
    static ArrayNode all(List<InstanceSnapshot> snapshots, long nowMillis) {
        ArrayNode all = JSON.createArrayNode();
        snapshots.forEach(snapshot -> all.add(of(snapshot, nowMillis)));
        GtidSetBudget.apply(all);
        return all;
    }

    /** The newest errors of an instance. */
    static ArrayNode errors(InstanceSnapshot snapshot) {
        ArrayNode errors = JSON.createArrayNode();
        for (ErrorLog.Item item : snapshot.errors()) {
            errors.addObject()
                    .put("time", item.time().toString())
                    .put("times", item.times())
                    .put("part", item.part())
                    .put("kind", item.kind())
                    .put("message", item.message())
                    .put("remedy", item.remedy());
        }
        return errors;
    }

    /** The state in one word, for an operator. */
    static String state(InstanceSnapshot snapshot) {
        Missing missing = snapshot.missing();
        if (missing != null) {
            return missing.reason().state();
        }
        if (snapshot.instance().isEmpty()) {
            String absent = snapshot.stopped() ? "stopped" : "not_here";
            return snapshot.health()
                    .map(health -> health.state().name().toLowerCase(Locale.ROOT))
                    .orElse(absent);
        }
        InstanceState state = snapshot.instance().get().state();
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** Limits as they are set and shown. */
    static ObjectNode limits(RateLimits limits) {
        return JSON.createObjectNode()
                .put("rowsPerSecond", limits.rowsPerSecond())
                .put("bytesPerSecond", limits.bytesPerSecond());
    }

    private static void pace(ObjectNode json, PaceStatus pace) {
        json.put("paused", pace.paused());
        json.put("pauseReason", pace.reason());
        json.put("pausedSince", text(pace.since()));
        json.put("pauseAt", pace.pauseTarget());
        json.set("limits", limits(pace.limits()));
        json.put("paceKept", pace.kept().spelling());
        json.put("paceProblem", pace.keptProblem());
    }

    private static void instance(ObjectNode json, Instance instance, long nowMillis) {
        Lag lag = instance.lag();
        json.putObject("source")
                .put("lagBytes", lag.bytes() < 0 ? null : (Long) lag.bytes())
                .put("lagSeconds", lag.seconds() < 0 ? null : (Long) lag.seconds())
                .put("newestEvent", instance.lastEventMillis() == 0 ? null : time(instance.lastEventMillis()))
                .put("receivedBytes", instance.sourceProgress().receivedBytes())
                .put("xaUndecided", instance.sourceProgress().undecidedTransactions())
                .put("resets", instance.resets());
        StoreStats store = instance.storeStats();
        long oldest = store.oldestToAckMillis();
        json.put("deliveryDelaySeconds", oldest == 0 ? 0 : Math.max(0, (nowMillis - oldest) / 1000));
        json.putObject("store")
                .put("entries", store.put().entries() - store.acked().entries())
                .put("bytes", store.put().bytes() - store.acked().bytes())
                .put("capacityEntries", store.capacityEntries())
                .put("capacityBytes", store.capacityBytes())
                .put("readRows", store.put().rows())
                .put("deliveredRows", store.acked().rows());
        instance.senderStatus().ifPresent(sender -> sender(json.putObject("sender"), sender));
        json.put("cursorUnwrittenSeconds", instance.cursorUnwritten().toSeconds());
        instance.cursor().ifPresent(cursor -> cursor(json.putObject("position"), cursor));
        FilterChange change = instance.filterChange();
        if (change != null) {
            filterChange(json.putObject("filterChange"), change);
        }
    }

    private static void filterChange(ObjectNode json, FilterChange change) {
        json.put("from", change.from()).put("added", change.addedTotal()).put("dropped", change.droppedTotal());
        ArrayNode added = json.putArray("addedTables");
        change.added().forEach(table -> added.add(table.toString()));
        ArrayNode dropped = json.putArray("droppedTables");
        change.dropped().forEach(table -> dropped.add(table.toString()));
    }

    static void sender(ObjectNode json, SenderStatus sender) {
        NotAdmittedException notAdmitted = sender.notAdmitted();
        if (notAdmitted != null) {
            json.put("notAdmitted", notAdmitted.getMessage());
        }
        json.put("state", sender.state().name().toLowerCase(Locale.ROOT))
                .put("batchesInFlight", sender.batchesInFlight())
                .put("maxBatchesInFlight", sender.maxBatchesInFlight())
                .put("deliveredMessages", sender.ackedMessages())
                .put("deliveredBytes", sender.ackedBytes())
                .put("failures", sender.failures())
                .put("resentMessages", sender.resentMessages())
                .put("skippedMessages", sender.skippedMessages())
                .put("deadLetters", sender.deadLetters())
                .put("silenceSeconds", sender.silence().toMillis() / 1000.0);
    }

    private static void cursor(ObjectNode json, Cursor cursor) {
        json.put("source", cursor.sourceHost() + ":" + cursor.sourcePort())
                .put("file", cursor.position().isKnown() ? cursor.position().file() : null)
                .put(
                        "offset",
                        cursor.position().isKnown() ? (Long) cursor.position().offset() : null)
                .put("gtidSet", cursor.gtidSet().isEmpty() ? null : cursor.gtidSet())
                .put("time", cursor.timestampMillis() == 0 ? null : time(cursor.timestampMillis()));
    }

    private static void health(ObjectNode json, InstanceSnapshot snapshot, InstanceHealth health) {
        SourceFailure failure = health.failure();
        if (failure != null) {
            json.putObject("sourceFailure").put("kind", failure.spelling()).put("remedy", snapshot.remedy(failure));
        }
        Stall stall = health.stall();
        if (stall != null) {
            json.putObject("stalled")
                    .put("stage", stall.stage().spelling())
                    .put("seconds", stall.lasting().toSeconds())
                    .put("meaning", stall.stage().meaning());
        }
    }

    /** The error that is the reason why an instance makes no progress; null if it makes progress, or none of its errors is known to be the reason. */
    private static ErrorLog.@Nullable Item cause(InstanceSnapshot snapshot, long nowMillis) {
        InstanceHealth health = snapshot.health().orElse(null);
        if (health == null) {
            return null;
        }
        List<ErrorLog.Item> errors = snapshot.errors();
        if (health.state() == InstanceState.FAILED) {
            return errors.isEmpty() ? null : errors.get(0);
        }
        SourceFailure failure = health.failure();
        if (failure != null) {
            return newest(errors, item -> isOfSource(item) && item.kind().equals(failure.spelling()));
        }
        Stall stall = health.stall();
        if (stall == null) {
            return null;
        }
        long stalledSince = nowMillis - stall.lasting().toMillis();
        String part = switch (stall.stage()) {
            case SOURCE, READER -> SOURCE;
            case SENDER, BROKER -> DELIVERY;
            case ENCODERS, CLIENTS -> ""; // no error states why
        };
        return newest(errors, item -> item.part().equals(part) && item.time().toEpochMilli() >= stalledSince);
    }

    private static boolean isOfSource(ErrorLog.Item item) {
        return item.part().equals(SOURCE);
    }

    private static ErrorLog.@Nullable Item newest(List<ErrorLog.Item> errors, Predicate<ErrorLog.Item> isWanted) {
        return errors.stream().filter(isWanted).findFirst().orElse(null);
    }

    private static void cause(ObjectNode json, ErrorLog.Item item) {
        String message = item.message();
        json.put("time", item.time().toString())
                .put("part", item.part())
                .put("kind", item.kind())
                .put("message", message.length() > LONGEST_CAUSE ? message.substring(0, LONGEST_CAUSE) + "…" : message);
    }

    private static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }
}
