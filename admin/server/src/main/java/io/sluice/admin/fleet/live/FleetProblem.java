package io.sluice.admin.fleet.live;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Something that is wrong: {@code FleetProblem} of the API.
 *
 * @param severity {@code error} or {@code warning}
 * @param remedy what to do
 * @param since when it was seen first
 * @param group the same for problems that are the same at several instances, as when their source is unreachable; within one overview
 * @param groupSize how many problems are in the group
 * @param groupServer the server of all of them; null if they are of several, or of none
 */
public record FleetProblem(
        String severity,
        @Nullable String instance,
        @Nullable Long serverId,
        @Nullable String server,
        String kind,
        String message,
        @Nullable String remedy,
        Instant since,
        int group,
        long groupSize,
        @Nullable String groupServer) {
    /** How long something lasts, which differs by a moment from one instance to the next. */
    private static final Pattern LASTING = Pattern.compile("\\b\\d+ (?:h|min|s)\\b(?: \\d+ (?:min|s)\\b)?");

    /** One that is in no group yet. */
    FleetProblem(
            String severity,
            @Nullable String instance,
            @Nullable Long serverId,
            @Nullable String server,
            String kind,
            String message,
            @Nullable String remedy,
            Instant since) {
        this(severity, instance, serverId, server, kind, message, remedy, since, 0, 1, server);
    }

    FleetProblem lastingSince(Instant first) {
        return new FleetProblem(severity, instance, serverId, server, kind, message, remedy, first);
    }

    FleetProblem in(int newGroup, long size, @Nullable String ofAll) {
        return new FleetProblem(
                severity, instance, serverId, server, kind, message, remedy, since, newGroup, size, ofAll);
    }

    boolean isError() {
        return severity.equals("error");
    }

    /** Equal for problems that are the same at several instances. */
    List<@Nullable String> sameness() {
        return instance == null
                ? Arrays.asList(severity, kind, message, null, String.valueOf(serverId))
                : Arrays.asList(severity, kind, LASTING.matcher(message).replaceAll(""), remedy);
    }

    /** A key of the problem, which stays the same as long as it lasts. */
    String key() {
        return kind + "/" + instance + "/" + serverId;
    }
}
