package io.sluice.connector.rabbitmq.unroutable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.rabbitmq.Answers;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class UnroutableMessagesTest {
    private static final Map<String, String> DOWN = Map.of("homed", "its node is down");

    private final SendException why = new SendException(FailureKind.TOPIC_UNAVAILABLE, "no queue");
    private final Answers answers = new Answers();
    private final AtomicInteger answered = new AtomicInteger();
    private final Queue<Runnable> duringLookups = new ArrayDeque<>();
    private final Queue<Map<String, String>> findings = new ArrayDeque<>();
    private final UnroutableMessages messages = new UnroutableMessages(new Lookup(), answered::incrementAndGet);
    private boolean mayBeLate;

    private final class Lookup implements UnroutableMessages.Lookup {
        @Override
        public Map<String, String> unreachable(Set<String> topics) {
            duringLookups.remove().run();
            return findings.remove();
        }

        @Override
        public boolean mayBeLate() {
            return mayBeLate;
        }
    }

    private void add(String topic) {
        add(message(topic));
    }

    private void add(Message message) {
        messages.add(message, answers.next(), why);
    }

    private static Message message(String topic) {
        return new Message(topic, 0, new byte[0]);
    }

    private void judge(Map<String, String> finding) {
        nextLookup(() -> {}, finding);
        messages.judge();
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

    /** It was sent before the question then: its queue may be known since. */
    @Test
    void aMessageIsRejectedWhenItIsReturnedAgainAfterAQuestionIfItsQueueMayBeLate() {
        mayBeLate = true;
        Message first = message("absent");
        Message second = message("absent");
        add(first);
        add(second);
        judge(Map.of());
        messages.restart();
        add(first);
        judge(Map.of());
        messages.restart();
        add(second);
        add("absent");
        judge(Map.of());

        assertThat(answers.await())
                .containsExactly("PASSING", "PASSING", "TOPIC_UNAVAILABLE", "TOPIC_UNAVAILABLE", "PASSING");
        assertThat(answers.causes()).contains("no queue; but", "it is sent once more");
    }

    /** As with {@code canal.mq.onTopicUnavailable=retry}: the failure is the same each time. */
    @Test
    void aMessageThatIsReturnedAgainAndAgainIsRejectedEachTime() {
        mayBeLate = true;
        Message message = message("absent");
        for (int i = 0; i < 4; i++) {
            add(message);
            judge(Map.of());
            messages.restart();
        }

        assertThat(answers.await())
                .containsExactly("PASSING", "TOPIC_UNAVAILABLE", "TOPIC_UNAVAILABLE", "TOPIC_UNAVAILABLE");
    }

    /** It says nothing about the broker; one that may have a queue does. */
    @Test
    void onlyAMessageThatIsSentOnceMoreNeedsNoBackOff() {
        mayBeLate = true;
        List<Exception> causes = new ArrayList<>();
        for (Map<String, String> finding : List.of(Map.<String, String>of(), Map.of("absent", "its node is down"))) {
            messages.add(
                    message("absent"),
                    new DeliveryCallback() {
                        @Override
                        public void delivered() {
                            throw new AssertionError("it was returned");
                        }

                        @Override
                        public void failed(Exception cause, FailureKind kind) {
                            causes.add(cause);
                        }
                    },
                    why);
            judge(finding);
            messages.restart();
        }

        assertThat(causes)
                .asInstanceOf(InstanceOfAssertFactories.list(SendException.class))
                .extracting(SendException::isToBeSentOnceMore)
                .containsExactly(true, false);
    }

    /** As while nodes are cut off from each other, which come together just then. */
    @Test
    void aQuestionThatFindsAQueueMakesTheOnesBeforeCountForNothing() {
        mayBeLate = true;
        Message message = message("homed");
        for (Map<String, String> finding : List.of(Map.<String, String>of(), DOWN, Map.<String, String>of())) {
            add(message);
            judge(finding);
            messages.restart();
        }

        assertThat(answers.await()).containsExactly("PASSING", "PASSING", "PASSING");
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
