package io.sluice.connector.kafka.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.protocol.time.Time;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransactionTest {
    private final Transaction transaction = new Transaction(10, Time.SYSTEM);
    private final List<String> answers = new ArrayList<>();

    @Test
    void everyRecordIsAnsweredAlthoughOneTakesNoAnswer() throws Exception {
        transaction.add(record("first", null));
        transaction.add(record("second", new OutOfMemoryError("unable to create native thread")));
        transaction.add(record("third", null));

        assertThatThrownBy(transaction::delivered).isInstanceOf(OutOfMemoryError.class);

        assertThat(answers).containsExactly("first", "third");
        transaction.awaitAnswers();
    }

    private DeliveryCallback record(String name, Error failure) {
        return new DeliveryCallback() {
            @Override
            public void delivered() {
                if (failure != null) {
                    throw failure;
                }
                answers.add(name);
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                throw new AssertionError("it was delivered", cause);
            }
        };
    }
}
