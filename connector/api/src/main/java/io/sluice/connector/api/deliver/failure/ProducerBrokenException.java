package io.sluice.connector.api.deliver.failure;

/** A producer cannot send anything until an operator acts. Nothing is lost: what was not confirmed is not acked. */
public final class ProducerBrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Of an instance whose producer has failed so. */
    public ProducerBrokenException(String instance, DeliveryFailure failure) {
        super(
                "nothing of instance %s can be sent, as was seen with batch %d: %s: remove the cause, then start the instance again, or restart the server if keys of the broker have changed; it resumes with this batch"
                        .formatted(instance, failure.batchId(), failure.cause()),
                failure.cause());
    }
}
