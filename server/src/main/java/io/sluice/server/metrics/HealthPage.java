package io.sluice.server.metrics;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.server.control.Missing;
import io.sluice.server.health.InstanceHealth;
import io.sluice.server.health.Stall;
import io.sluice.server.instance.InstanceState;
import io.sluice.stream.source.server.AccountFailure;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The health of all instances, as JSON: 200 if no action is needed, else 503. Of a failure the kind and the remedy are here, without the account and
 * without what is known of the password; the message is only in the log: it names hosts and users, and readers of this page have not logged in.
 */
final class HealthPage implements Page {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Observed observed;

    HealthPage(Observed observed) {
        this.observed = observed;
    }

    @Override
    public CompletableFuture<HttpResponse> make(Accepted accepted) throws IOException {
        return CompletableFuture.completedFuture(page());
    }

    private HttpResponse page() throws IOException {
        List<InstanceHealth> here = observed.health();
        List<DestinationStatus> destinations = observed.destinations();
        boolean well = here.stream().allMatch(InstanceHealth::isWell)
                && destinations.stream().noneMatch(HealthPage::isMissed);
        ObjectNode all = JSON.createObjectNode().put("status", well ? "up" : "down");
        ArrayNode instances = all.putArray("instances");
        Map<String, InstanceHealth> running = here.stream()
                .collect(Collectors.toMap(InstanceHealth::destination, health -> health, (one, same) -> one));
        for (DestinationStatus status : destinations) {
            InstanceHealth health = running.get(status.destination());
            ObjectNode instance = instances
                    .addObject()
                    .put("destination", status.destination())
                    .put("state", state(status, health))
                    .put("paused", status.paused())
                    .put("stopped", status.stopped());
            if (health != null) {
                describe(instance, health, observed);
            } else if (status.missing() != null) {
                instance.put("meaning", meaning(status.missing()));
            }
        }
        return new HttpResponse(
                well ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE,
                "application/json",
                JSON.writeValueAsBytes(all));
    }

    private static boolean isMissed(DestinationStatus status) {
        Missing.Reason missing = status.missing();
        return missing != null && missing.needsAction();
    }

    private static String meaning(Missing.Reason missing) {
        return switch (missing) {
            case INVALID -> "its configuration was never right; sluice.sh status says what is wrong";
            case PENDING -> "it is not started before other instances are changed; sluice.sh status says which";
            case NOT_ENDED -> "it was removed and did not end in good order; sluice.sh status says why";
        };
    }

    private static String state(DestinationStatus status, @Nullable InstanceHealth health) {
        if (health == null) {
            Missing.Reason missing = status.missing();
            return missing != null ? missing.state() : status.stopped() ? "stopped" : "not_here";
        }
        return health.state().name().toLowerCase(Locale.ROOT);
    }

    private static void describe(ObjectNode instance, InstanceHealth health, Observed observed) {
        SourceFailure failure = health.failure();
        if (failure != null) {
            String remedy = AccountFailure.publicRemedy(failure, observed.remedy(health.destination(), failure));
            instance.putObject("source").put("failure", failure.spelling()).put("remedy", remedy);
        }
        Stall stall = health.stall();
        if (stall != null) {
            instance.putObject("stalled")
                    .put("stage", stall.stage().spelling())
                    .put("seconds", stall.lasting().toSeconds())
                    .put("meaning", stall.stage().meaning());
        } else if (health.state() == InstanceState.FAILED) {
            instance.put("meaning", "it cannot continue; the reason is in the instance's log");
        }
    }
}
