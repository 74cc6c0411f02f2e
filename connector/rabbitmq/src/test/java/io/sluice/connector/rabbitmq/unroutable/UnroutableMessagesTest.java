package io.sluice.connector.rabbitmq.unroutable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.rabbitmq.Answers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class UnroutableMessagesTest {
    private static final Map<String, String> DOWN = Map.of("homed", "its node is down");

    private final SendException why = new SendException(FailureKind.TOPIC_UNAVAILABLE, "no queue");
    private final Answers answers = new Answers();
    private final AtomicInteger answered = new AtomicInteger();
    private final Queue<Runnable> duringLookups = new ArrayDeque<>();
    private final Queue<Map<String, String>> findings = new ArrayDeque<>();
    private final UnroutableMessages messages = new UnroutableMessages(
            topics -> {
                duringLookups.remove().run();
                return findings.remove();
            },
            answered::incrementAndGet);

    private void add(String topic) {
        messages.add(topic, answers.next(), why);
    }

    private void nextLookup(Runnable during, Map<String, String> finding) {
        duringLookups.add(during);
        findings.add(finding);
    }

    @Test
    void aMessageIsRejectedIfItHasNoQueueAndFailsIfItMayHaveOne() {
        nextLookup(() -> {}, DOWN);
        add("absent");
        add("homed");

        messages.judge();

        assertThat(answers.await()).containsExactly("TOPIC_UNAVAILABLE", "PASSING");
        assertThat(answers.causes()).contains("no queue; but its node is down");
    }

    /** Or there would be a hole: the first is sent again, and those after it are skipped. */
    @Test
    void messagesAfterOneThatFailsFailUntilARestartThoughTheirQueueIsBack() {
        nextLookup(() -> add("homed"), DOWN);
        nextLookup(() -> {}, Map.of());
        add("homed");

        messages.judge();
        messages.judge();
        add("homed");
        messages.judge();
        assertThat(answers.await()).containsExactly("PASSING", "PASSING", "PASSING");

        messages.restart();
        add("absent");
        messages.judge();

        assertThat(answers.await()).endsWith("TOPIC_UNAVAILABLE");
        assertThat(answered).hasValue(4);
    }

    /** Also if the connection is lost during the lookup. */
    @Test
    void eachMessageIsAnsweredOnce() {
        nextLookup(() -> messages.fail(new IOException("lost")), DOWN);
        add("homed");
        messages.judge();
        add("homed");
        messages.fail(new IOException("lost"));
        messages.judge();
        messages.fail(new IOException("lost again"));

        assertThat(answers.await()).containsExactly("PASSING", "PASSING");
        assertThat(List.of(answers.causes().split("\n"))).containsExactly("no queue; but its node is down", "lost");
        assertThat(answered).hasValue(2);
    }

    @Test
    void messagesFailIfTheLookupThrows() {
        nextLookup(
                () -> {
                    throw new IllegalStateException("cannot ask");
                },
                Map.of());
        add("homed");

        assertThatThrownBy(messages::judge).hasMessage("cannot ask");

        assertThat(answers.await()).containsExactly("PASSING");
        assertThat(answered).hasValue(1);
    }
}
