package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.e2e.Form;
import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SinkTest {
    private static final byte[] ROW =
            "{\"table\":\"orders\",\"type\":\"INSERT\",\"data\":[{\"id\":\"7\",\"amount\":\"1.50\"}]}"
                    .getBytes(StandardCharsets.UTF_8);

    private final Confirmations confirmations = new Confirmations();

    @Test
    void confirmsAtOnceAndCounts() {
        Sink sink = new Sink(null, 1);

        sink.producer().send(new Message("bench", 0, new byte[5]), confirmations);
        sink.producer().send(new Message("bench", 0, new byte[6]), confirmations);

        assertThat(confirmations.delivered).isEqualTo(2);
        assertThat(sink.messages()).isEqualTo(2);
        assertThat(sink.bytes()).isEqualTo(11);
    }

    @Test
    void eachInstanceMustHaveSentEveryRow() {
        Sink sink = new Sink(Form.FLAT, 1);
        MessageProducer one = sink.producer();
        MessageProducer other = sink.producer();
        one.send(new Message("bench", 0, ROW), confirmations);
        other.send(new Message("bench", 0, ROW), confirmations);
        Totals oneRow = new Totals(new Tally(1, 7, 150), Tally.NONE, Tally.NONE);

        assertThat(sink.problem(oneRow)).isNull();

        other.send(new Message("bench", 0, ROW), confirmations);

        assertThat(sink.problem(oneRow)).contains("rows=2");
    }

    private static final class Confirmations implements DeliveryCallback {
        private int delivered;

        @Override
        public void delivered() {
            delivered++;
        }

        @Override
        public void failed(Exception cause, FailureKind kind) {
            throw new AssertionError("the sink refuses nothing", cause);
        }
    }
}
