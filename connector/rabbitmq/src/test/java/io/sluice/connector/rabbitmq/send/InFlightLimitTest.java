package io.sluice.connector.rabbitmq.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.Message;
import io.sluice.testkit.log.LogLines;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InFlightLimitTest {
    private static final int MOST = 1000;

    private final InFlightLimit limit = new InFlightLimit(MOST);

    /** Opens in steps, so that few are on their way when a queue that has rejected one is full again. */
    @Test
    void afterARejectionOneMessageIsOnItsWayAndThenMoreAsTheyAreConfirmed() {
        assertThat(limit.current()).isEqualTo(MOST);
        limit.rejected();

        List<String> steps = new ArrayList<>();
        for (int confirmed = 1; confirmed <= 10_000; confirmed++) {
            int before = limit.current();
            limit.answered();
            if (limit.current() != before) {
                steps.add(before + " until " + confirmed);
            }
        }

        assertThat(steps)
                .containsExactly(
                        "1 until 100",
                        "2 until 200",
                        "4 until 300",
                        "8 until 400",
                        "16 until 528",
                        "32 until 784",
                        "64 until 1296",
                        "128 until 2320",
                        "256 until 4368",
                        "512 until 8464");
        assertThat(limit.current()).isEqualTo(MOST);
    }

    /** A limit that is raised for a broker far away does not lengthen the time in which messages are sent one by one. */
    @Test
    void oneMessageAtATimeIsSentForAsLongWhateverTheLimit() {
        InFlightLimit large = new InFlightLimit(1_000_000);
        large.rejected();
        confirm(large, 100);

        assertThat(large.current()).isEqualTo(2);
    }

    @Test
    void anotherRejectionBeginsWithOneMessageAgain() {
        limit.rejected();
        confirm(limit, 350);
        assertThat(limit.current()).isEqualTo(8);

        limit.rejected();

        assertThat(limit.current()).isEqualTo(1);
        confirm(limit, InFlightLimit.CONFIRMED_BEFORE_STEP - 1);
        assertThat(limit.current()).isEqualTo(1);
        limit.rejected();
        confirm(limit, InFlightLimit.CONFIRMED_BEFORE_STEP - 1);
        assertThat(limit.current()).isEqualTo(1);
    }

    @Test
    void itsBeginAndItsEndAreLoggedOnce() {
        try (LogLines log = LogLines.of(InFlightLimit.class)) {
            limit.rejected();
            confirm(limit, 500);
            limit.rejected();
            confirm(limit, 10_000);
            InFlightLimit single = new InFlightLimit(1);
            single.rejected();
            confirm(single, 10_000);

            assertThat(log.texts())
                    .containsExactly(
                            "a queue has rejected a message, they are sent one at a time, and more as they are confirmed:"
                                    + " inFlightBefore=1000",
                            "queues take messages again, as many as before are sent at a time: inFlight=1000");
        }
    }

    @Test
    void nothingFollowsAMessageThatWasReturnedBeforeItIsAnswered() {
        Message first = message();
        Message returned = message();
        limit.returned(returned);
        limit.returned(message());
        limit.restart();

        limit.sends(first);
        assertThat(limit.current()).isEqualTo(MOST);
        limit.sends(returned);
        assertThat(limit.current()).isEqualTo(1);
        limit.answered();
        limit.sends(message());
        assertThat(limit.current()).isEqualTo(MOST);
    }

    /** Its connection was lost before the answer. */
    @Test
    void aMessageThatWasReturnedIsSentAloneAlsoInTheNextAttempt() {
        Message first = message();
        Message returned = message();
        limit.returned(returned);
        limit.restart();
        limit.sends(returned);
        limit.restart();

        assertThat(limit.current()).isEqualTo(MOST);
        limit.sends(first);
        limit.sends(returned);
        assertThat(limit.current()).isEqualTo(1);
    }

    @Test
    void messagesAmongWhichOneIsAtFaultAreSentOneByOne() {
        limit.closedOverOneOf(3);
        confirm(limit, 2);
        assertThat(limit.current()).isEqualTo(1);

        limit.answered();

        assertThat(limit.current()).isEqualTo(MOST);
    }

    private static Message message() {
        return new Message("t", 0, new byte[] {1});
    }

    private static void confirm(InFlightLimit limit, int messages) {
        for (int i = 0; i < messages; i++) {
            limit.answered();
        }
    }
}
