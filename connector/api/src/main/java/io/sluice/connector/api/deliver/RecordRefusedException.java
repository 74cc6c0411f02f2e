package io.sluice.connector.api.deliver;

/** A broker refused a record for good, and the instance's policy is to stop then. Nothing is lost: the batch is not acked. */
public final class RecordRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RecordRefusedException(String instance, DeliveryFailure failure) {
        super(
                "broker refused a record of instance %s, batch %d, for good: %s: remove the cause, then start the instance"
                                .formatted(instance, failure.batchId(), failure.cause())
                        + " again; it goes on with this batch",
                failure.cause());
    }
}
