package io.sluice.server.health;

import io.sluice.server.instance.InstanceState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the work of one instance waits, from one sample to the next: each stage that has work must make progress, unless a
 * stage after it blocks it. So the last stage without progress is the cause. The source makes progress by new events, and by what
 * it sends to find where the stream begins, not by connections; the reader by
 * events, and not by heartbeats if the lag grows meanwhile. For one thread.
 */
final class StallDetector {
    private final Duration limit;
    private final StageProgress source = new StageProgress();
    private final StageProgress reader = new StageProgress();
    private final StageProgress dump = new StageProgress();
    private long dumpLagBytes;
    private boolean isSourceStalled;
    private final StageProgress encoders = new StageProgress();
    private final StageProgress delivery = new StageProgress();

    /** @param limit how long a stage may make no progress; zero: for ever */
    StallDetector(Duration limit) {
        this.limit = limit;
    }

    /**
     * Takes a sample.
     *
     * @param nanos when, by a clock that never goes back
     * @return the stall that lasts; null if there is none
     */
    @Nullable Stall sample(ProgressSample now, long nanos) {
        boolean reads = now.state() == InstanceState.RUNNING;
        boolean seeks = now.state() == InstanceState.CONNECTING || now.state() == InstanceState.RETRYING;
        boolean isBlocked = now.chunks() > 0 || now.isFull();
        source.sample(seeks || source.waits && isMute(now) && !isBlocked, now.newEvents() + now.searchedBytes(), nanos);
        boolean lacks = reads && now.lagBytes() > 0 && !isBlocked;
        reader.sample(
                lacks || reads && hasSentNothing(now) && !isBlocked,
                now.receivedBytes() + now.searchedBytes() + now.put(),
                nanos); // it also reads from the file of a large transaction
        dump.sample(lacks, now.events() + now.searchedBytes() + now.put(), nanos);
        if (dump.sinceNanos == nanos) {
            dumpLagBytes = now.lagBytes();
        }
        // A connection that stays is no stall: a large transaction may be read again, or the source looks for the first
        // event.
        isSourceStalled = source.isOver(limit, nanos) && (seeks || isSourceStalled);
        encoders.sample(now.chunks() > 0 && !now.isFull(), now.put(), nanos);
        delivery.sample(now.put() > now.acked() && !now.isHeld(), now.acked(), nanos);
        if (delivery.isOver(limit, nanos)) {
            return delivery.stall(now.reader(), nanos);
        }
        if (encoders.isOver(limit, nanos)) {
            return encoders.stall(Stage.ENCODERS, nanos);
        }
        if (reader.isOver(limit, nanos)) {
            return reader.stall(Stage.READER, nanos);
        }
        // A lag that stays the same is what an idle source does not send.
        boolean isGrowing = now.lagBytes() > dumpLagBytes;
        if (dump.isOver(limit, nanos) && isGrowing) {
            return dump.stall(Stage.READER, nanos);
        }
        return isSourceStalled ? source.stall(Stage.SOURCE, nanos) : null;
    }

    /** Whether not a single event has come, as the first ones do at once, and the source does not tell either how much it has. */
    private static boolean hasSentNothing(ProgressSample now) {
        return now.lagBytes() < 0 && now.receivedBytes() == 0;
    }

    /** Whether it is connected, and it is not known yet whether the source sends what it has. */
    private static boolean isMute(ProgressSample now) {
        return now.state() == InstanceState.RUNNING && !now.isShown() && now.lagBytes() != 0;
    }

    /** Since when a stage has had work and made no progress. */
    private static final class StageProgress {
        private boolean waits;
        private long progress;
        private long sinceNanos;

        void sample(boolean hasWork, long done, long nanos) {
            if (!hasWork || !waits || done != progress) {
                sinceNanos = nanos;
            }
            waits = hasWork;
            progress = done;
        }

        boolean isOver(Duration limit, long nanos) {
            return waits && !limit.isZero() && nanos - sinceNanos >= limit.toNanos();
        }

        Stall stall(Stage stage, long nanos) {
            return new Stall(stage, Duration.ofNanos(nanos - sinceNanos));
        }
    }
}
