package io.sluice.admin.fleet.api;

import io.sluice.admin.account.Caller;
import io.sluice.admin.account.Role;
import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.fleet.action.InstanceActions;
import io.sluice.admin.fleet.action.ServerCalls;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.control.ControlStream;
import io.sluice.admin.fleet.control.ControlTarget;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.stream.BrowserStream;
import io.sluice.admin.fleet.stream.BrowserStreams;
import io.sluice.admin.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Passes on a sample of what an instance delivers. */
@RestController
class ChangeController {
    private static final JsonMapper JSON = new JsonMapper();

    private final InstanceActions actions;
    private final ServerCalls calls;
    private final ControlClient control;
    private final BrowserStreams streams;
    private final AuditLog audit;

    ChangeController(
            InstanceActions actions, ServerCalls calls, ControlClient control, BrowserStreams streams, AuditLog audit) {
        this.actions = actions;
        this.calls = calls;
        this.control = control;
        this.streams = streams;
        this.audit = audit;
    }

    @GetMapping("/api/v2/instances/{name}/changes")
    void changes(
            @PathVariable String name,
            @RequestParam(required = false) @Nullable String table,
            @RequestParam(defaultValue = "masked") String values,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        boolean isShown = values.equals("shown");
        if (!isShown && !values.equals("masked")) {
            throw ProblemException.badRequest("values must be masked or shown.");
        }
        ServerRow server = actions.asked(actions.instance(name));
        if (isShown) {
            requireAdministrator(name);
        }
        ControlTarget target = calls.target(server);
        Map<String, String> query = new LinkedHashMap<>();
        query.put("values", values);
        if (table != null && !table.isBlank()) {
            query.put("table", table.strip());
        }
        String path = ControlCall.instance(name, "/changes") + ControlCall.query(query);
        Relay relay = new Relay();
        ControlStream source = control.open(target, path, AuditLog.user(), relay);
        try {
            calls.waitFor(relay.opened, server);
            if (isShown) {
                audit.done(
                        "instance.values",
                        "instance " + name,
                        null,
                        query.containsKey("table") ? "values of " + query.get("table") : "values of all tables");
            }
            BrowserStream browser = streams.open(request, response, AuditLog.user());
            relay.begin(browser, source);
        } catch (ProblemException | IOException e) {
            source.close();
            throw e;
        }
    }

    private void requireAdministrator(String name) {
        Caller caller = Caller.current();
        if (caller == null || !caller.role().includes(Role.ADMINISTRATOR)) {
            audit.notDone("instance.values", "instance " + name, "refused", "the role is too small");
            throw ProblemException.forbidden("Values of rows are shown to administrators only.");
        }
    }

    /** Passes events from a server to a browser; the server waits while the browser does not read. */
    private static final class Relay implements ControlStream.Listener {
        private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
        private final CompletableFuture<BrowserStream> browser = new CompletableFuture<>();
        private volatile @Nullable ControlStream source;
        private volatile boolean hasEnded;
        private final AtomicLong leftOut = new AtomicLong();

        void begin(BrowserStream to, ControlStream from) {
            source = from;
            to.whenClosed(from::close);
            to.whenReady(() -> from.read(true));
            browser.complete(to);
            if (hasEnded) {
                to.end();
            }
        }

        @Override
        public void opened() {
            opened.complete(true);
        }

        @Override
        public void event(String event, String data) {
            BrowserStream to = browser.getNow(null);
            if (to == null) {
                leftOut.incrementAndGet(); // it is a sample
                return;
            }
            JsonNode json;
            try {
                json = JSON.readTree(data);
            } catch (JacksonException e) {
                return; // an event that this server does not read
            }
            boolean isSent = true;
            switch (event) {
                case "change" -> isSent = send(to, json);
                case "leftOut", "idle" -> isSent = to.send(BrowserStream.event(event, json.toString()));
                case "end" -> {
                    to.send(BrowserStream.event("end", "{}"));
                    to.end();
                }
                default -> {
                    return;
                }
            }
            if (!isSent) {
                leftOut.incrementAndGet();
            }
            ControlStream from = source;
            if (!to.isIdle() && from != null) {
                from.read(false); // until the browser has read
                if (to.isIdle()) {
                    from.read(true);
                }
            }
        }

        private boolean send(BrowserStream to, JsonNode json) {
            boolean isSent = true;
            for (ObjectNode change : Changes.of(json)) {
                isSent &= to.send(BrowserStream.event("change", change.toString()));
            }
            long count = isSent ? leftOut.getAndSet(0) : 0;
            if (count > 0) {
                to.send(BrowserStream.event(
                        "leftOut", JSON.createObjectNode().put("changes", count).toString()));
            }
            return isSent;
        }

        @Override
        public void ended(ControlFailure why) {
            hasEnded = true;
            opened.completeExceptionally(why);
            BrowserStream to = browser.getNow(null);
            if (to != null) {
                to.send(BrowserStream.event("end", "{}"));
                to.end();
            }
        }
    }
}
