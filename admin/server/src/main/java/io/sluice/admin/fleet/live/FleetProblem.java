package io.sluice.admin.fleet.live;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong: {@code FleetProblem} of the API.
 *
 * @param severity {@code error} or {@code warning}
 * @param remedy what to do
 * @param since when it was seen first
 */
public record FleetProblem(
        String severity,
        @Nullable String instance,
        @Nullable Long serverId,
        @Nullable String server,
        String kind,
        String message,
        @Nullable String remedy,
        Instant since) {
    FleetProblem lastingSince(Instant first) {
        return new FleetProblem(severity, instance, serverId, server, kind, message, remedy, first);
    }

    boolean isError() {
        return severity.equals("error");
    }

    /** The same for a problem as long as it lasts. */
    String key() {
        return kind + "/" + instance + "/" + serverId;
    }
}
