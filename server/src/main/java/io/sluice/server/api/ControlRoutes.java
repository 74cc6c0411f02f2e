package io.sluice.server.api;

import static io.sluice.server.config.ControlRole.ADMINISTRATOR;
import static io.sluice.server.config.ControlRole.OPERATOR;
import static io.sluice.server.config.ControlRole.VIEWER;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.ControlRole;
import io.sluice.server.control.AlarmTest;
import io.sluice.server.control.AuditEntry;
import io.sluice.server.control.AuditLog;
import io.sluice.server.control.ControlRefusedException;
import io.sluice.server.control.InstanceSnapshot;
import io.sluice.server.control.LogFiles;
import io.sluice.server.control.Operations;
import io.sluice.server.control.ReloadReport;
import io.sluice.server.cursor.CursorAdmin;
import io.sluice.server.cursor.CursorRefusedException;
import io.sluice.server.cursor.CursorTarget;
import io.sluice.server.cursor.InstanceCursors;
import io.sluice.server.cursor.PlannedMove;
import io.sluice.server.pace.RateLimits;
import io.sluice.server.pace.StopPoint;
import io.sluice.server.version.BuildVersion;
import io.sluice.store.cursor.CursorStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All calls of the API. {@code openapi.json} describes them for callers; a test compares both. */
final class ControlRoutes {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ROOT = "/api/v1";
    private static final String INSTANCE = ROOT + "/instances/{destination}";

    /** What the bodies of calls may have, by their actions. */
    private static final Map<String, Set<String>> MEMBERS = Map.of(
            "pause",
            Set.of("position", "gtid", "time", "reason"),
            "limit",
            Set.of("rowsPerSecond", "bytesPerSecond"),
            ConfigCalls.CONNECT,
            ConfigCalls.TEXTS,
            ConfigCalls.TABLES,
            ConfigCalls.TEXTS,
            "cursor",
            Set.of("position", "gtid", "time", "client", "onlyBack", "dryRun", "restart"),
            "cursor delete",
            Set.of("client", "dryRun", "restart"),
            "cursor restore",
            Set.of("dryRun", "restart"));

    private final Operations operations;
    private final EventStreams streams;
    private final LogFiles logs;
    private final AuditLog audit;
    private final Time time;
    private final List<Route> routes = new ArrayList<>();

    ControlRoutes(Operations operations, EventStreams streams, LogFiles logs, AuditLog audit, Time time) {
        this.operations = operations;
        this.streams = streams;
        this.logs = logs;
        this.audit = audit;
        this.time = time;
        get("/openapi.json", VIEWER, request -> description());
        get("/server", VIEWER, request -> new ApiAnswer.Json(server()));
        get("/instances", VIEWER, request -> new ApiAnswer.Json(instances()));
        get(
                "/events",
                VIEWER,
                request -> new ApiAnswer.Events(streams.instances(
                        request.caller().name(), this::instances, request.number("interval", 1, 3600, 1))));
        add("POST", ROOT + "/alarm/test", OPERATOR, "alarm test", request -> alarmTest(operations.testAlarm()));
        ConfigCalls config = new ConfigCalls(operations);
        get("/config/keys", VIEWER, request -> config.keys());
        // Without an action: what is sent may hold passwords, and belongs in no audit log.
        add("POST", ROOT + "/config/check", OPERATOR, "", config::check);
        add("POST", ROOT + "/config/route", VIEWER, "", config::route);
        // An operator runs what is configured; these have the server connect to whatever a caller names.
        add("POST", ROOT + "/config/connect", ADMINISTRATOR, ConfigCalls.CONNECT, config::connect);
        add("POST", ROOT + "/config/tables", ADMINISTRATOR, ConfigCalls.TABLES, config::tables);
        add("POST", ROOT + "/reload", OPERATOR, "reload", request -> report(operations.reload()));
        get("/instances/{destination}", VIEWER, this::instance);
        get(
                "/instances/{destination}/errors",
                VIEWER,
                request -> new ApiAnswer.Json(InstanceJson.errors(operations.snapshot(request.destination()))));
        get(
                "/instances/{destination}/tables",
                VIEWER,
                request -> new ApiAnswer.Json(TablesJson.of(operations.tables(request.destination()))));
        get("/instances/{destination}/changes", VIEWER, this::changes);
        get("/log", OPERATOR, request -> log(LogFiles.SERVER, request));
        get("/instances/{destination}/log", OPERATOR, request -> {
            operations.snapshot(request.destination()); // which throws if there is no such instance
            return log(request.destination(), request);
        });
        get("/log/files", OPERATOR, request -> logFiles(LogFiles.SERVER));
        get("/instances/{destination}/log/files", OPERATOR, request -> {
            operations.snapshot(request.destination()); // which throws if there is no such instance
            return logFiles(request.destination());
        });
        get("/instances/{destination}/cursor", VIEWER, this::showCursor);
        change("start", OPERATOR, request -> operations.start(request.destination()));
        change("stop", OPERATOR, request -> operations.stop(request.destination()));
        change("restart", OPERATOR, request -> {
            operations.restart(request.destination());
            return true;
        });
        change("release", OPERATOR, request -> {
            operations.release(request.destination());
            return true;
        });
        change("pause", OPERATOR, this::pause);
        change("resume", OPERATOR, request -> {
            operations.resume(request.destination());
            return true;
        });
        add(
                "POST",
                INSTANCE + "/reload",
                OPERATOR,
                "reload",
                request -> report(operations.reload(request.destination())));
        add("PUT", INSTANCE + "/limits", OPERATOR, "limit", this::limit);
        add("POST", INSTANCE + "/cursor", ADMINISTRATOR, "cursor", this::moveCursor);
        add("POST", INSTANCE + "/cursor/delete", ADMINISTRATOR, "cursor delete", request -> {
            int client = client(request);
            return changeCursors(request, (cursors, isDry) -> cursors.delete(client, isDry));
        });
        add(
                "POST",
                INSTANCE + "/cursor/restore",
                ADMINISTRATOR,
                "cursor restore",
                request -> changeCursors(request, InstanceCursors::restore));
    }

    /** All of them, in the order in which they are matched. */
    List<Route> all() {
        return List.copyOf(routes);
    }

    private void get(String path, ControlRole role, Function<ApiRequest, ApiAnswer> call) {
        add("GET", ROOT + path, role, "", call);
    }

    /** One that changes an instance, and answers by its state after that; {@code changed} is false if it was so before. */
    private void change(String verb, ControlRole role, Function<ApiRequest, Boolean> call) {
        add("POST", INSTANCE + "/" + verb, role, verb, request -> {
            boolean isChanged = call.apply(request);
            ObjectNode json = json(request.destination());
            json.put("changed", isChanged);
            return new ApiAnswer.Json(json);
        });
    }

    private void add(
            String method, String path, ControlRole role, String action, Function<ApiRequest, ApiAnswer> call) {
        routes.add(new Route(method, path, role, action, MEMBERS.getOrDefault(action, Set.of()), call));
    }

    private static ApiAnswer description() {
        try (InputStream file = ControlRoutes.class.getResourceAsStream("openapi.json")) {
            if (file == null) {
                throw new IllegalStateException("the description of the API is not in this package");
            }
            return new ApiAnswer.Content("application/json", new String(file.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ObjectNode server() {
        ObjectNode json = JSON.createObjectNode();
        BuildVersion build = BuildVersion.ofThisBuild();
        json.put("version", build.version()).put("commit", build.commitText());
        json.put("mode", operations.configuration().server().mode().spelling());
        json.put("cluster", operations.configuration().server().cluster().isPresent());
        json.put("java", Runtime.version().toString());
        ArrayNode names = json.putArray("destinations");
        operations.destinations().forEach(names::add);
        json.put("configurationProblem", operations.configurationProblem());
        return json;
    }

    private ArrayNode instances() {
        ArrayNode all = JSON.createArrayNode();
        for (InstanceSnapshot snapshot : operations.snapshots()) {
            all.add(InstanceJson.of(snapshot, time.millis()));
        }
        return all;
    }

    private ObjectNode json(String destination) {
        return InstanceJson.of(operations.snapshot(destination), time.millis());
    }

    private ApiAnswer instance(ApiRequest request) {
        InstanceSnapshot snapshot = operations.snapshot(request.destination());
        ObjectNode json = InstanceJson.of(snapshot, time.millis());
        json.set("errors", InstanceJson.errors(snapshot));
        return new ApiAnswer.Json(json);
    }

    private boolean pause(ApiRequest request) {
        Optional<StopPoint> point = stopPoint(request);
        String reason = request.text("reason")
                .map(text -> request.caller().shownName() + ": " + text)
                .orElse("by " + request.caller().shownName());
        if (point.isPresent()) {
            operations.pauseAt(request.destination(), point.get());
            return true;
        }
        boolean wasPaused = operations.snapshot(request.destination()).pace().paused();
        operations.pause(request.destination(), reason);
        return !wasPaused;
    }

    private static Optional<StopPoint> stopPoint(ApiRequest request) {
        Optional<String> position = request.text("position");
        Optional<String> gtid = request.text("gtid");
        Optional<String> at = request.text("time");
        requireOneAtMost(position, gtid, at);
        if (position.isPresent()) {
            if (!(target(position, Optional.empty(), Optional.empty()) instanceof CursorTarget.At place)) {
                throw ApiException.badRequest("position must be file:offset: " + position.get());
            }
            return Optional.of(new StopPoint.Position(new BinlogPosition(place.file(), place.offset())));
        }
        if (gtid.isPresent()) {
            return Optional.of(new StopPoint.Transactions(gtidSet(gtid.get())));
        }
        return at.map(text ->
                new StopPoint.Time(((CursorTarget.Since) target(Optional.empty(), Optional.empty(), at)).time()));
    }

    private static GtidSet gtidSet(String text) {
        try {
            GtidSet set = GtidSet.parse(text);
            if (!set.isEmpty()) {
                return set;
            }
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest("gtid: " + e.getMessage());
        }
        throw ApiException.badRequest("gtid must be a GTID, or a set of them");
    }

    private static void requireOneAtMost(Optional<String> position, Optional<String> gtid, Optional<String> at) {
        if (Stream.of(position, gtid, at).filter(Optional::isPresent).count() > 1) {
            throw ApiException.badRequest("position, gtid and time exclude each other");
        }
    }

    private static CursorTarget target(Optional<String> position, Optional<String> gtid, Optional<String> at) {
        try {
            if (position.isPresent()) {
                return CursorTarget.parse(position.get());
            }
            return gtid.isPresent()
                    ? new CursorTarget.After(gtid.get())
                    : CursorTarget.parseTime(
                            at.orElseThrow(() -> ApiException.badRequest("position, gtid or time must be given")));
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private ApiAnswer limit(ApiRequest request) {
        RateLimits limits = new RateLimits(request.amount("rowsPerSecond"), request.amount("bytesPerSecond"));
        operations.limit(request.destination(), limits);
        return new ApiAnswer.Json(json(request.destination()));
    }

    private ApiAnswer changes(ApiRequest request) {
        boolean showsValues = request.query("values").orElse("masked").equals("shown");
        if (showsValues && !request.caller().role().mayDoWhatNeeds(ADMINISTRATOR)) {
            throw new ApiException(403, "values of rows are shown to the role administrator only");
        }
        String table = request.query("table").orElse("");
        if (showsValues) {
            audit.record(new AuditEntry(
                    request.caller().actor(),
                    "see values",
                    request.destination(),
                    "",
                    table.isEmpty() ? "of all tables" : "of " + table,
                    true));
        }
        int limit = request.number("limit", 1, 1_000_000, Integer.MAX_VALUE);
        return new ApiAnswer.Events(streams.changes(
                () -> new ChangeTail(operations.tap(request.destination()), table, showsValues), limit));
    }

    private ApiAnswer log(String directory, ApiRequest request) {
        int lines = request.number("lines", 1, 100_000, 200);
        try {
            return new ApiAnswer.Content(
                    "text/plain; charset=utf-8",
                    logs.tail(directory, request.query("file").orElse(""), lines));
        } catch (NoSuchFileException e) {
            throw new ApiException(404, "there is no such log file");
        } catch (IllegalArgumentException e) {
            throw ApiException.badRequest(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ApiAnswer logFiles(String directory) {
        ArrayNode names = JSON.createArrayNode();
        try {
            logs.readable(directory).forEach(names::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new ApiAnswer.Json(names);
    }

    private ApiAnswer showCursor(ApiRequest request) {
        return cursors(request, InstanceCursors::show);
    }

    private ApiAnswer moveCursor(ApiRequest request) {
        Optional<String> position = request.text("position");
        Optional<String> gtid = request.text("gtid");
        Optional<String> at = request.text("time");
        requireOneAtMost(position, gtid, at);
        CursorTarget target = target(position, gtid, at);
        boolean isDry = request.flag("dryRun");
        boolean onlyBack = request.flag("onlyBack");
        int client = client(request);
        if (!isRestarted(request)) {
            return cursors(request, cursors -> cursors.move(client, target, onlyBack, isDry));
        }
        // The source is asked before anything is stopped: that may take minutes, or be refused.
        AtomicReference<@Nullable PlannedMove> plan = new AtomicReference<>();
        cursors(request, cursors -> {
            plan.set(cursors.plan(client, target, onlyBack));
            return List.of();
        });
        PlannedMove found = Objects.requireNonNull(plan.get(), "it was found");
        return whileStopped(request, cursors -> cursors.move(found));
    }

    private static int client(ApiRequest request) {
        long number = request.text("client").isEmpty() ? CursorStore.QUEUE_CLIENT : request.amount("client");
        if (number > Short.MAX_VALUE) {
            throw ApiException.badRequest("client must be at most " + Short.MAX_VALUE);
        }
        return (int) number;
    }

    /** Whether the instance runs, or has failed, and is to be stopped for the change and started after it. */
    private boolean isRestarted(ApiRequest request) {
        return request.flag("restart") && !request.flag("dryRun") && hasInstance(request);
    }

    private boolean hasInstance(ApiRequest request) {
        return operations.snapshot(request.destination()).instance().isPresent();
    }

    private ApiAnswer changeCursors(ApiRequest request, CursorChange change) {
        if (!isRestarted(request)) {
            return cursors(request, cursors -> change.run(cursors, request.flag("dryRun")));
        }
        cursors(request, cursors -> change.run(cursors, true)); // what is refused is refused before anything is stopped
        return whileStopped(request, cursors -> change.run(cursors, false));
    }

    private ApiAnswer whileStopped(ApiRequest request, CursorCall call) {
        AtomicReference<@Nullable ApiAnswer> answer = new AtomicReference<>();
        operations.whileStopped(request.destination(), () -> answer.set(cursors(request, call)));
        return Objects.requireNonNull(answer.get(), "it was done");
    }

    /** A change of the cursors of an instance, which may be only tried. */
    @FunctionalInterface
    private interface CursorChange {
        List<String> run(InstanceCursors cursors, boolean isDry) throws CursorRefusedException;
    }

    /** What is done with the cursors of an instance. */
    @FunctionalInterface
    private interface CursorCall {
        List<String> run(InstanceCursors cursors) throws CursorRefusedException;
    }

    private ApiAnswer cursors(ApiRequest request, CursorCall call) {
        try (CursorAdmin admin = hasInstance(request)
                ? CursorAdmin.ofRunner(operations.configuration(), "this server")
                : new CursorAdmin(operations.configuration(), Optional.empty())) {
            ObjectNode json = JSON.createObjectNode();
            ArrayNode lines = json.putArray("lines");
            call.run(admin.of(request.destination())).forEach(lines::add);
            return new ApiAnswer.Json(json);
        } catch (CursorRefusedException e) {
            throw new ControlRefusedException(String.valueOf(e.getMessage()), e);
        }
    }

    private static ApiAnswer alarmTest(List<AlarmTest> results) {
        ObjectNode json =
                JSON.createObjectNode().put("delivered", results.stream().allMatch(AlarmTest::delivered));
        ArrayNode webhooks = json.putArray("webhooks");
        for (AlarmTest result : results) {
            webhooks.addObject()
                    .put("webhook", result.webhook())
                    .put("format", result.format())
                    .put("delivered", result.delivered())
                    .put("detail", result.detail());
        }
        return new ApiAnswer.Json(json);
    }

    private static ApiAnswer report(ReloadReport report) {
        ObjectNode json = JSON.createObjectNode().put("complete", report.isComplete());
        put(json, "added", report.added());
        put(json, "changed", report.changed());
        put(json, "removed", report.removed());
        ObjectNode refused = json.putObject("refused");
        for (Map.Entry<String, List<String>> entry : report.refused().entrySet()) {
            put(refused, entry.getKey(), entry.getValue());
        }
        put(json, "otherTables", report.otherTables());
        put(json, "serverProblems", report.serverProblems());
        put(json, "restartKeys", report.restartKeys());
        return new ApiAnswer.Json(json);
    }

    private static void put(ObjectNode json, String name, Collection<String> values) {
        ArrayNode array = json.putArray(name);
        values.forEach(array::add);
    }
}
