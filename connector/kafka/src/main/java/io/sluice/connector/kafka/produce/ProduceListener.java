package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import org.jspecify.annotations.Nullable;

/** Decides about failures for a {@link ProduceLoop}, and is called at its end with the cause. Called on the loop's thread. */
public interface ProduceListener {
    /**
     * Called before each request with batches, be it the first one or a repetition, and when a broker has acknowledged a batch, before the
     * callbacks of that are.
     *
     * @return a failure that ends the loop, such as a lost ownership: the request is not sent; null to continue
     */
    @Nullable Exception reasonToEnd();

    /** Passes a failure to the callback of a message that is itself at fault, or its topic, or that has ended the loop. */
    void fail(Exception cause, DeliveryCallback callback);

    /** Passes a failure to the callback of a message that was not sent, or not acknowledged, since something else has failed. */
    void failAfter(Exception cause, DeliveryCallback callback);

    /**
     * Called when the loop cannot continue, before any callback is called. It calls {@link ProduceLoop#stop}.
     *
     * @param topic that of the batch that has failed; null if it was none
     */
    void ended(Exception cause, @Nullable String topic);
}
