package io.sluice.bench.stage;

import io.sluice.bench.record.ArrivedRows;
import io.sluice.bench.record.Format;
import io.sluice.bench.record.RecordReader;
import io.sluice.bench.workload.Totals;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A producer that acknowledges every message at once and keeps nothing. It can check the rows, which takes longer than all stages
 * before it. For one thread.
 */
final class Sink implements MessageProducer {
    /** Kafka's default {@code max.request.size}. */
    private static final int MAX_VALUE_BYTES = 1 << 20;

    private final @Nullable RecordReader reader;
    private final ArrivedRows rows = new ArrivedRows();

    /**
     * Creates a sink.
     *
     * @param checked the format in which rows are read and checked; null to discard them
     */
    Sink(@Nullable Format checked) {
        this.reader = checked == null ? null : RecordReader.of(checked);
    }

    /** Describes what is wrong with the rows that arrived; null if nothing is. For a sink that checks. */
    @Nullable String problem(Totals expected) {
        return rows.problem(expected);
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        if (reader != null) {
            try {
                reader.read(message.value(), rows);
            } catch (IOException e) {
                throw new IllegalStateException("a message has another format", e);
            }
        }
        callback.delivered();
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return OptionalInt.of(1);
    }

    @Override
    public int maxValueBytes() {
        return MAX_VALUE_BYTES;
    }

    @Override
    public void flush() {}

    @Override
    public void restart() {}

    @Override
    public void abandon() {}

    @Override
    public void close(Duration longest) {}
}
