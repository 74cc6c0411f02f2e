package io.sluice.connector.kafka.produce;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.kafka.failure.KafkaErrors;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ends a loop with its first failure, as a connection does, and fails what came after it for a reason that passes. */
final class EndingListener implements ProduceListener {
    private final Consumer<Exception> end;

    EndingListener(Consumer<Exception> end) {
        this.end = end;
    }

    @Override
    public @Nullable Exception reasonToEnd() {
        return null;
    }

    @Override
    public void fail(Exception cause, DeliveryCallback callback) {
        callback.failed(cause, KafkaErrors.kindOf(cause));
    }

    @Override
    public void failAfter(Exception cause, DeliveryCallback callback) {
        callback.failed(cause, FailureKind.PASSING);
    }

    @Override
    public void ended(Exception cause, @Nullable String topic) {
        end.accept(cause);
    }
}
