package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.live.Fleet;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceDetail;
import io.sluice.admin.fleet.live.InstanceError;
import io.sluice.admin.fleet.live.InstanceView;
import io.sluice.admin.fleet.live.Overview;
import io.sluice.admin.fleet.stream.BrowserStream;
import io.sluice.admin.notice.ChangeNotice;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Sends each merged state to all browsers with an open stream; it is written as JSON once for all of them. Thread-safe. */
@Component
class Broadcast {
    private static final Logger LOG = LoggerFactory.getLogger(Broadcast.class);

    private final FleetWatch fleet;
    private final InstanceErrors errors;
    private final JsonMapper json;
    private final Set<BrowserStream> overviews = ConcurrentHashMap.newKeySet();
    private final Map<String, Watchers> instances = new ConcurrentHashMap<>();

    Broadcast(FleetWatch fleet, InstanceErrors errors, JsonMapper json) {
        this.fleet = fleet;
        this.errors = errors;
        this.json = json;
        fleet.onMerged(this::merged);
    }

    /** The open streams of an instance, and its errors as they were read last; null until its server was asked once. */
    private static final class Watchers {
        private final Set<BrowserStream> streams = ConcurrentHashMap.newKeySet();
        private volatile @Nullable List<InstanceError> errors;
        private volatile boolean isAsking;
    }

    /** Sends a browser the overview, and what is changed here, from now on. */
    void addOverview(BrowserStream stream) {
        overviews.add(stream);
        stream.whenClosed(() -> overviews.remove(stream));
        byte[] event = event("overview", fleet.now().overview());
        if (event != null) {
            stream.state("overview", event);
        }
    }

    /** Sends a browser the state of an instance from now on. */
    void addInstance(String name, BrowserStream stream) {
        instances.compute(name, (key, known) -> {
            Watchers watchers = known == null ? new Watchers() : known;
            watchers.streams.add(stream);
            return watchers;
        });
        stream.whenClosed(() -> instances.computeIfPresent(name, (key, watchers) -> {
            watchers.streams.remove(stream);
            return watchers.streams.isEmpty() ? null : watchers;
        }));
        Watchers watchers = instances.get(name);
        if (watchers != null) {
            send(fleet.now(), name, watchers);
        }
    }

    private void merged(Fleet now) {
        if (!overviews.isEmpty()) {
            Overview overview = now.overview();
            byte[] event = event("overview", overview);
            if (event != null) {
                overviews.forEach(stream -> stream.state("overview", event));
            }
        }
        instances.forEach((name, watchers) -> send(now, name, watchers));
    }

    @SuppressWarnings("FutureReturnValueIgnored") // errors that cannot be read are none
    private void send(Fleet now, String name, Watchers watchers) {
        InstanceView view = now.instances().get(name);
        if (view == null) {
            watchers.streams.forEach(BrowserStream::end); // it is gone
            return;
        }
        List<InstanceError> known = watchers.errors;
        if (known != null) {
            send(view, known, watchers);
        }
        if (!watchers.isAsking) {
            watchers.isAsking = true;
            errors.ask(view).whenComplete((read, failure) -> {
                watchers.isAsking = false;
                List<InstanceError> found = read == null ? List.of() : read;
                if (read != null || known == null) {
                    watchers.errors = found;
                }
                if (known == null) {
                    send(
                            view, found,
                            watchers); // a page would show no errors until the next state if they were left out of the
                    // first one
                }
            });
        }
    }

    private void send(InstanceView view, List<InstanceError> known, Watchers watchers) {
        byte[] event = event("instance", InstanceDetail.of(view, known));
        if (event != null) {
            watchers.streams.forEach(stream -> stream.state("instance", event));
        }
    }

    /** Notifies open pages that something was changed, so that they read it again. */
    @EventListener
    void changed(ChangeNotice notice) {
        byte[] event = event("changed", notice);
        if (event != null) {
            overviews.forEach(stream -> stream.send(event));
        }
    }

    private byte @Nullable [] event(String name, Object data) {
        try {
            return BrowserStream.event(name, json.writeValueAsString(data));
        } catch (JacksonException e) {
            LOG.error("an event cannot be written: event={}", name, e);
            return null;
        }
    }
}
