package io.sluice.bench.stage;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.record.Format;
import io.sluice.bench.workload.Tally;
import io.sluice.bench.workload.Totals;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SinkTest {
    private static final byte[] ROW =
            "{\"table\":\"orders\",\"type\":\"INSERT\",\"data\":[{\"id\":\"7\",\"amount\":\"1.50\"}]}"
                    .getBytes(StandardCharsets.UTF_8);
    private static final Totals ONE_ROW = new Totals(new Tally(1, 7, 150), Tally.NONE, Tally.NONE);

    private final Sink sink = new Sink(Format.FLAT);
    private int delivered;

    @Test
    void acknowledgesAtOnceAndChecksRows() {
        send();

        assertThat(delivered).isEqualTo(1);
        assertThat(sink.problem(ONE_ROW)).isNull();
    }

    @Test
    void aRepeatedRowIsFound() {
        send();
        send();

        assertThat(sink.problem(ONE_ROW)).contains("rows=2");
    }

    private void send() {
        sink.send(new Message("bench", 0, ROW), new DeliveryCallback() {
            @Override
            public void delivered() {
                delivered++;
            }

            @Override
            public void failed(Exception cause, FailureKind kind) {
                throw new AssertionError("the sink must not reject a message", cause);
            }
        });
    }
}
