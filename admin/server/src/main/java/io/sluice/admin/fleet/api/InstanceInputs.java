package io.sluice.admin.fleet.api;

import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import org.jspecify.annotations.Nullable;

/** What calls about instances take. */
final class InstanceInputs {
    private InstanceInputs() {}

    /** A new instance; {@code enabled} is true unless it is given. */
    record NewInstance(
            @NotNull @Pattern(regexp = "[A-Za-z0-9._-]{1,100}") String name,

            @Nullable Long clusterId,
            @Nullable Long serverId,
            @NotNull @Size(max = 1024 * 1024) String content,
            @Nullable Boolean enabled,
            @Size(max = 1000) @Nullable String comment) {}

    /** A change of an instance; what is not given stays. {@code force}: move it although a server that may run it does not answer. */
    record InstanceInput(
            @Nullable Long clusterId,
            @Nullable Long serverId,
            @Nullable Boolean enabled,
            @Nullable Boolean force) {
        boolean isMove() {
            return clusterId != null || serverId != null;
        }
    }

    /** Where to pause; nothing: now. */
    record PauseInput(
            @Size(max = 10_000) @Nullable String position,
            @Size(max = 10_000) @Nullable String gtid,
            @Size(max = 100) @Nullable String time,
            @Size(max = 1000) @Nullable String reason) {
        boolean isAtPoint() {
            return position != null || gtid != null || time != null;
        }
    }

    /** Limits; 0: none. What is not given stays. */
    record LimitsInput(
            @Min(0) @Nullable Long rowsPerSecond,
            @Min(0) @Nullable Long bytesPerSecond) {}

    /** Where to move a cursor. */
    record CursorInput(
            @Size(max = 10_000) @Nullable String position,
            @Size(max = 10_000) @Nullable String gtid,
            @Size(max = 100) @Nullable String time,
            boolean dryRun,
            @Nullable Boolean restart) {}
}
