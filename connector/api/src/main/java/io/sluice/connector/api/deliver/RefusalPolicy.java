package io.sluice.connector.api.deliver;

/** Decides what happens when the broker refuses a record for good. A refused record is never skipped in silence. */
@FunctionalInterface
public interface RefusalPolicy {
    /** Ends the sender, with the refusal as its cause. */
    RefusalPolicy STOP = failure -> Verdict.STOP;

    /** Decides about a failure that is not retriable. Called by the sender's thread; its batches are rolled back already. */
    Verdict judge(DeliveryFailure failure);

    /** What the sender does. */
    enum Verdict {
        /** End, with the refusal as the cause. */
        STOP,
        /** Back off and send it again: someone may raise the broker's limit or grant the right. */
        RETRY
    }
}
