package io.sluice.admin.fleet.watch;

import org.jspecify.annotations.Nullable;

/**
 * The report of a server about an instance. Amounts that it does not report are negative, texts null.
 *
 * @param state {@code new}, {@code connecting}, {@code running}, {@code retrying}, {@code failed}, {@code stopping}, {@code stopped},
 *     {@code not_here}, {@code invalid}, {@code pending} or {@code not_ended}
 * @param healthy no action is needed
 * @param pace whether it is paused, and its limits
 * @param rowsPerSecond delivered
 * @param bytesPerSecond delivered
 * @param deliveryDelaySeconds age of the oldest change that was read and is not delivered
 * @param source its source; null if it has not begun
 * @param store its store; null if it has not begun
 * @param sender its sender; null where clients pull, and if it has not begun
 * @param position up to where all is delivered
 * @param failure of the source
 * @param stall where it makes no progress
 * @param cause the message of the error because of which it makes no progress; null if that is not known
 * @param configurationProblem why its newest configuration is not in force
 * @param retryAt when it is started again
 * @param cursorUnwrittenSeconds for how long the newest cursor could not be written; 0 if it is written
 */
public record InstanceReport(
        String name,
        String state,
        boolean healthy,
        Pace pace,
        long rowsPerSecond,
        long bytesPerSecond,
        long deliveryDelaySeconds,
        @Nullable Source source,
        @Nullable Store store,
        @Nullable Sender sender,
        @Nullable Position position,
        @Nullable Failure failure,
        @Nullable Stall stall,
        @Nullable String cause,
        @Nullable String configurationProblem,
        @Nullable String retryAt,
        long cursorUnwrittenSeconds) {
    private static final long UNWRITTEN_SECONDS = 10;

    /** Whether it is paused, why and where; its limits, 0 for none; and whether all servers of its cluster share that. */
    public record Pace(
            boolean paused,
            @Nullable String reason,
            @Nullable String since,
            @Nullable String pauseAt,
            long rowsPerSecond,
            long bytesPerSecond,
            boolean shared) {
        public static final Pace NONE = new Pace(false, null, null, null, 0, 0, false);
    }

    /** What is read; {@code receivedPerSecond} is negative until two reports have come. */
    public record Source(
            long lagBytes, long lagSeconds, @Nullable String newestEvent, long receivedBytes, long receivedPerSecond) {}

    /** What is read and not delivered; {@code readPerSecond} are rows, and negative until two reports have come. */
    public record Store(
            long entries,
            long bytes,
            long capacityEntries,
            long capacityBytes,
            long deliveredRows,
            long readRows,
            long readPerSecond) {
        public boolean isFull() {
            return capacityEntries > 0 && entries * 20 >= capacityEntries * 19
                    || capacityBytes > 0 && bytes >= capacityBytes / 20 * 19;
        }
    }

    /** What is sent. */
    public record Sender(
            String state, long batchesInFlight, long deliveredMessages, long deliveredBytes, long failures) {}

    /** Why the source cannot be read, and what to do. */
    public record Failure(String kind, @Nullable String remedy) {}

    /** Which stage makes no progress, for how long, and what that means. */
    public record Stall(
            String stage, long seconds, @Nullable String meaning) {}

    /** The report of a canal server about an instance: that it runs, and nothing else. */
    public static InstanceReport running(String name) {
        return new InstanceReport(
                name, "running", true, Pace.NONE, 0, 0, -1, null, null, null, null, null, null, null, null, null, -1);
    }

    /** Whether the server has the instance, rather than leaving it to others. */
    public boolean isHere() {
        return !state.equals("not_here") && !state.equals("stopped") && !isInvalid() && !isPending() && !isNotEnded();
    }

    /** Whether its configuration was never right there, so that it cannot run. */
    public boolean isInvalid() {
        return state.equals("invalid");
    }

    /** Whether it is not started there before other instances are changed. */
    public boolean isPending() {
        return state.equals("pending");
    }

    /** Whether it was removed there, and has not ended in good order. */
    public boolean isNotEnded() {
        return state.equals("not_ended");
    }

    /** Whether the cursor is unwritten for longer than one write takes, so that a restart would deliver again what was delivered since. */
    public boolean isCursorUnwritten() {
        return cursorUnwrittenSeconds >= UNWRITTEN_SECONDS;
    }

    /** Whether it is being stopped, be it for good or to be started again. */
    public boolean isStopping() {
        return state.equals("stopping");
    }

    public boolean isStopped() {
        return state.equals("stopped");
    }
}
