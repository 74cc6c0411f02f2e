package io.sluice.admin.fleet.live;

import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.InstanceReport;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An instance: what is configured of it, and what each server reports.
 *
 * @param places the servers that know it, or could run it
 * @param runner the one that runs it; null if none does
 */
public record InstanceView(
        InstanceSummary summary,
        List<Place> places,
        @Nullable Place runner) {
    /**
     * A server that could run an instance.
     *
     * @param report what the server reports about the instance; null if it does not know it, or does not answer
     * @param status of the server
     */
    public record Place(
            ServerRow server,
            ServerStatusView status,
            @Nullable InstanceReport report) {
        /** Whether it knows the instance, and has not been told to give it up. */
        public boolean knowsIt() {
            return report != null && !report.isNotEnded();
        }

        /** Whether it has the instance, rather than leaving it to others. */
        public boolean isRunning() {
            return report != null && report.isHere();
        }

        /** Why it cannot run there, since its configuration was never right; null if it can. */
        @Nullable String invalidity() {
            InstanceReport known = report;
            return known != null && known.isInvalid() ? known.configurationProblem() : null;
        }

        /** Why it is not started there yet; null if it does not wait for that. */
        @Nullable String pending() {
            InstanceReport known = report;
            return known != null && known.isPending() ? known.configurationProblem() : null;
        }

        /** Why it has not ended in good order when it was removed there; null if it was not, or has. */
        @Nullable String failedRemoval() {
            InstanceReport known = report;
            return known != null && known.isNotEnded()
                    ? Objects.requireNonNullElse(known.configurationProblem(), "it did not end in good order")
                    : null;
        }

        /** Whether an operator has stopped it there. */
        public boolean isStopped() {
            return report != null && report.isStopped();
        }

        /** Whether it is being stopped there, so that a start has to wait for that. */
        public boolean isStopping() {
            return report != null && report.isStopping();
        }

        /** Whether a pause and limits that are set there hold on every server that takes over. */
        public boolean sharesPace() {
            return report != null && report.pace().shared();
        }

        /** The state of the instance there, by its name in the API. */
        public String state() {
            InstanceReport known = report;
            if (known != null) {
                return known.state();
            }
            return status.state().isAnswering() ? "not_here" : "unknown";
        }
    }

    /** The server that is asked about the instance: the one that runs it, else one that knows it, else one that answers. */
    public Optional<Place> asked() {
        Place running = runner;
        if (running != null) {
            return Optional.of(running);
        }
        return places.stream()
                .filter(Place::knowsIt)
                .findFirst()
                .or(() -> places.stream()
                        .filter(place -> place.status().state().isAnswering())
                        .findFirst())
                .or(() -> places.stream().findFirst());
    }

    /** As what the overview counts it: its state, but for paused and stalled ones, and those that are about to run or to be stopped. */
    public String counted() {
        return Summing.kind(this);
    }
}
