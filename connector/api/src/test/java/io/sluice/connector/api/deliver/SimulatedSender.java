package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.protocol.time.Backoff;
import io.sluice.protocol.time.Time;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.ring.EntryStore;
import java.util.concurrent.Executor;

/** A real sender whose steps a simulation makes, in place of the thread of {@link BatchSender}. */
public final class SimulatedSender {
    private final Time time;
    private final RaisedSignal signal = new RaisedSignal();
    private final SenderSteps steps;
    private StepWait wait = StepWait.NONE;

    /** Whether it is known that the condition holds. */
    private boolean isPolled = true;

    /** Wakes only a sender that was told that something has changed. */
    private static final class RaisedSignal extends DeliverySignal {
        private boolean isRaised;

        @Override
        void raise() {
            isRaised = true;
        }
    }

    /** Makes a sender; the parameters are those of {@link BatchSender}. */
    public SimulatedSender(
            SenderConfig config,
            EntryStore store,
            CursorStore cursors,
            BatchConverter converter,
            Executor converters,
            MessageProducer producer,
            Backoff backoff,
            Time time,
            RejectionPolicy policy) {
        this.time = time;
        this.steps =
                new SenderSteps(config, store, cursors, converter, converters, producer, backoff, time, policy, signal);
    }

    /**
     * Whether the next step is due, as a thread sees it that polls the condition only when the signal was raised.
     *
     * @throws AssertionError if the condition holds and nothing has raised the signal
     */
    public boolean isDue() {
        boolean isRaised = signal.isRaised;
        signal.isRaised = false;
        boolean holds = wait.condition().getAsBoolean();
        if (holds && !isRaised && !isPolled) {
            throw new AssertionError("the end of a wait was not signalled");
        }
        isPolled = holds;
        return holds || wait.nanosLeft(time) <= 0;
    }

    /** How long until the next step is due if nothing happens before. */
    public long nanosLeft() {
        return wait.nanosLeft(time);
    }

    /** Makes a step; throws what ends the sender, which {@link #fail} must follow. */
    public void step() {
        wait = steps.step();
        isPolled = wait.condition().getAsBoolean();
    }

    /** Requests the end in good order. */
    public void stop() {
        steps.stop();
    }

    /** Ends now, as when its thread is interrupted. */
    public void interrupt() {
        steps.end(SenderState.STOPPED);
    }

    /** Ends after a step has thrown an exception. */
    public void fail() {
        steps.end(SenderState.FAILED);
    }

    public boolean hasEnded() {
        return steps.hasEnded();
    }

    /** What it does; for messages. */
    public String state() {
        return String.valueOf(steps.progress().state());
    }

    /** How many batches it holds. */
    public int batchesInFlight() {
        return steps.progress().batchesInFlight();
    }
}
