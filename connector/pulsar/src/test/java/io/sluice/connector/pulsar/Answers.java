package io.sluice.connector.pulsar;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What became of messages, in the order of the answers. */
final class Answers {
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    /** One answer; without a kind, the broker has the message. */
    record Answer(@Nullable FailureKind kind, @Nullable Exception cause) {}

    /** Sends one message and waits for its answer. */
    static Answer of(MessageProducer producer, Message message) throws InterruptedException {
        Answers answers = new Answers();
        producer.send(message, answers.next());
        return answers.take(1).get(0);
    }

    DeliveryCallback next() {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                answers.add(new Answer(null, null));
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answers.add(new Answer(kind, cause));
            }
        };
    }

    List<Answer> take(int count) throws InterruptedException {
        List<Answer> taken = new ArrayList<>();
        while (taken.size() < count) {
            Answer next = answers.poll(90, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("only %d of %d messages were answered for".formatted(taken.size(), count));
            }
            taken.add(next);
        }
        return taken;
    }
}
