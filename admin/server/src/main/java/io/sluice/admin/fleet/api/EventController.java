package io.sluice.admin.fleet.api;

import io.sluice.admin.audit.AuditLog;
import io.sluice.admin.fleet.action.InstanceActions;
import io.sluice.admin.fleet.stream.BrowserStream;
import io.sluice.admin.fleet.stream.BrowserStreams;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The streams that show what happens. */
@RestController
class EventController {
    private final BrowserStreams streams;
    private final Broadcast broadcast;
    private final InstanceActions actions;

    EventController(BrowserStreams streams, Broadcast broadcast, InstanceActions actions) {
        this.streams = streams;
        this.broadcast = broadcast;
        this.actions = actions;
    }

    @GetMapping("/api/v2/events")
    void events(HttpServletRequest request, HttpServletResponse response) throws IOException {
        BrowserStream stream = streams.open(request, response, AuditLog.user());
        broadcast.addOverview(stream);
    }

    @GetMapping("/api/v2/instances/{name}/events")
    void instanceEvents(@PathVariable String name, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        actions.instance(name);
        BrowserStream stream = streams.open(request, response, AuditLog.user());
        broadcast.addInstance(name, stream);
    }
}
