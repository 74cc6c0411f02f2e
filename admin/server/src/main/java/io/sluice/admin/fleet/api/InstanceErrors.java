package io.sluice.admin.fleet.api;

import io.sluice.admin.fleet.control.ControlAnswer;
import io.sluice.admin.fleet.control.ControlCall;
import io.sluice.admin.fleet.control.ControlClient;
import io.sluice.admin.fleet.control.ControlFailure;
import io.sluice.admin.fleet.live.FleetWatch;
import io.sluice.admin.fleet.live.InstanceError;
import io.sluice.admin.fleet.live.InstanceView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Asks the server that runs an instance for its newest errors. Thread-safe. */
@Component
class InstanceErrors {
    private static final Logger LOG = LoggerFactory.getLogger(InstanceErrors.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final int MOST = 100;

    private final FleetWatch fleet;
    private final ControlClient control;

    InstanceErrors(FleetWatch fleet, ControlClient control) {
        this.fleet = fleet;
        this.control = control;
    }

    /** Asks, without waiting. Returns an empty list if there are none, or the server cannot be asked. */
    CompletableFuture<List<InstanceError>> ask(InstanceView view) {
        return view.asked()
                .filter(place -> place.knowsIt() && place.status().state().isAnswering())
                .flatMap(place -> fleet.target(place.server()))
                .map(target -> control.call(
                                target,
                                ControlCall.get(ControlCall.instance(
                                                view.summary().name(), "/errors"))
                                        .within(TIMEOUT))
                        .thenApply(InstanceErrors::read)
                        .exceptionally(failure -> {
                            LOG.debug("the errors of an instance are not known", failure);
                            return List.of();
                        }))
                .orElseGet(() -> CompletableFuture.completedFuture(List.of()));
    }

    /** Reads a list of errors. */
    static List<InstanceError> read(ControlAnswer answer) {
        JsonNode list;
        try {
            list = answer.json();
        } catch (ControlFailure e) {
            LOG.debug("what should be errors cannot be read", e);
            return List.of();
        }
        List<InstanceError> errors = new ArrayList<>();
        for (JsonNode one : list) {
            if (errors.size() < MOST) {
                errors.add(new InstanceError(
                        one.path("time").asString(""),
                        one.path("times").asLong(1),
                        one.path("part").asString(""),
                        one.path("kind").asString(""),
                        one.path("message").asString(""),
                        one.path("remedy").isString() ? one.path("remedy").asString() : null));
            }
        }
        return List.copyOf(errors);
    }
}
