package io.sluice.connector.api.deliver;

import io.sluice.connector.api.deliver.SenderSimulation.Mistake;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Makes a sender that is right look like one that is wrong: the broker gets what the wrong one would send, or the sender is told what the
 * wrong one would believe.
 */
final class MistakenProducer implements MessageProducer {
    private final MessageProducer broker;
    private final Mistake mistake;
    private final Set<Message> confirmed = new HashSet<>();

    MistakenProducer(MessageProducer broker, Mistake mistake) {
        this.broker = broker;
        this.mistake = mistake;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        if (mistake == Mistake.SENDS_WITHOUT_OWNERSHIP) {
            broker.send(message, callback);
            return;
        }
        if (confirmed.contains(message)) { // the same object: it is sent again
            callback.delivered();
            return;
        }
        if (mistake == Mistake.CONFIRMS_TOO_EARLY) {
            callback.delivered();
        }
        broker.send(message, new DeliveryCallback() {
            @Override
            public void delivered() {
                confirmed.add(message);
                callback.delivered();
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                callback.failed(cause, kind);
            }
        });
    }

    @Override
    public int maxValueBytes() {
        return broker.maxValueBytes();
    }

    @Override
    public void flush() throws InterruptedException {
        broker.flush();
    }

    @Override
    public void restart() {
        broker.restart();
    }

    @Override
    public void abandon() {
        broker.abandon();
    }

    /** Of the mistake that it is about, nothing. */
    @Override
    public void checkOwnership() {
        if (mistake != Mistake.SENDS_WITHOUT_OWNERSHIP) {
            broker.checkOwnership();
        }
    }

    @Override
    public void close(Duration longest) {
        broker.close(longest);
    }
}
