package io.sluice.connector.rabbitmq;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** What became of the messages that a test has sent, in the order in which it has sent them. */
public final class Answers {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final List<String> answers = new ArrayList<>();
    private final List<String> causes = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();

    /** Sends texts to a topic; {@code from} and {@code to} are included. */
    public static Answers send(MessageProducer producer, String topic, int from, int to) {
        Answers answers = new Answers();
        IntStream.rangeClosed(from, to).forEach(i -> answers.send(producer, topic, Integer.toString(i)));
        return answers;
    }

    public void send(MessageProducer producer, String topic, String text) {
        send(producer, new Message(topic, 0, text.getBytes(StandardCharsets.UTF_8)));
    }

    public void send(MessageProducer producer, Message message) {
        messages.add(message);
        producer.send(message, next());
    }

    /** Restarts the producer and sends the same messages again, as a sender does. */
    public Answers again(MessageProducer producer) {
        producer.restart();
        Answers again = new Answers();
        messages.forEach(message -> again.send(producer, message));
        return again;
    }

    /** What answers one more message. */
    public DeliveryCallback next() {
        int place;
        synchronized (answers) {
            place = answers.size();
            answers.add("");
        }
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                answer(place, "delivered", "");
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                answer(place, kind.name(), String.valueOf(cause.getMessage()));
            }
        };
    }

    private void answer(int place, String answer, String cause) {
        synchronized (answers) {
            answers.set(place, answers.get(place).isEmpty() ? answer : answers.get(place) + " and " + answer);
            causes.add(cause);
        }
    }

    /** All answers, when all are there. */
    public List<String> await() {
        Awaitility.await().atMost(TIMEOUT).until(() -> {
            synchronized (answers) {
                return answers.stream().noneMatch(String::isEmpty);
            }
        });
        synchronized (answers) {
            return List.copyOf(answers);
        }
    }

    /** The different answers, when all are there. */
    public List<String> distinct() {
        return await().stream().distinct().toList();
    }

    /** What the failures say. */
    public String causes() {
        synchronized (answers) {
            return String.join("\n", causes);
        }
    }
}
