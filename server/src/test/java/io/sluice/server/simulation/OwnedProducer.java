package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * A producer that sends nothing when the destination is not owned any more, as those of brokers do, or when its process is dead.
 *
 * @param beforeSend runs before each message; the process may be dead then
 */
record OwnedProducer(SimulatedBroker broker, Ownership ownership, BooleanSupplier isDead, Runnable beforeSend)
        implements MessageProducer {
    @Override
    public void send(Message message, DeliveryCallback callback) {
        beforeSend.run();
        if (isDead.getAsBoolean()) {
            return;
        }
        if (ownership.isHeld()) {
            broker.send(message, callback);
        } else {
            callback.failed(new IllegalStateException("the destination is not ours"), FailureKind.PASSING);
        }
    }

    @Override
    public int maxValueBytes() {
        return broker.maxValueBytes();
    }

    @Override
    public void flush() {}

    @Override
    public void restart() {
        if (!isDead.getAsBoolean()) {
            broker.restart();
        }
    }

    @Override
    public void abandon() {
        if (!isDead.getAsBoolean()) {
            broker.abandon();
        }
    }

    @Override
    public void checkOwnership() {
        if (!ownership.isHeld()) {
            abandon();
        }
    }

    @Override
    public void close(Duration longest) {}
}
