package io.sluice.bench.stage;

import io.sluice.bench.e2e.ArrivedRows;
import io.sluice.bench.e2e.Form;
import io.sluice.bench.e2e.RecordReader;
import io.sluice.bench.workload.Totals;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A broker that has everything at once and keeps nothing: it counts. If asked to, it also reads every row, which takes longer
 * than all that comes before it.
 *
 * <p>Each producer that it makes is for one thread; the counts may be asked for by any.
 */
final class Sink implements MessageProducerFactory {
    /** What a Kafka producer takes as shipped. */
    private static final int MAX_VALUE_BYTES = 1 << 20;

    private final @Nullable Form checked;
    private final int partitions;
    private final LongAdder messages = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final List<ArrivedRows> arrived = new CopyOnWriteArrayList<>();

    /**
     * Makes one.
     *
     * @param checked the form in which rows are read; null if they are not
     * @param partitions how many each topic has
     */
    Sink(@Nullable Form checked, int partitions) {
        this.checked = checked;
        this.partitions = partitions;
    }

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        return List.of();
    }

    @Override
    public MessageProducer create(Map<String, String> properties, Ownership ownership) {
        return producer();
    }

    /** A producer of its own for an instance. */
    MessageProducer producer() {
        return new Producer(checked == null ? null : RecordReader.of(checked));
    }

    long messages() {
        return messages.sum();
    }

    /** The bytes of all values. */
    long bytes() {
        return bytes.sum();
    }

    /** What is wrong with what each producer got; null if nothing is. Only for a sink that reads rows, and when all has come. */
    @Nullable String problem(Totals expected) {
        for (ArrivedRows rows : arrived) {
            if (!rows.totals().equals(expected)) {
                return "expected %s, but %s came".formatted(expected, rows.totals());
            }
        }
        return null;
    }

    private final class Producer implements MessageProducer {
        private final @Nullable RecordReader reader;
        private final ArrivedRows rows = new ArrivedRows();

        Producer(@Nullable RecordReader reader) {
            this.reader = reader;
            arrived.add(rows);
        }

        @Override
        public void send(Message message, DeliveryCallback callback) {
            messages.increment();
            bytes.add(message.value().length);
            if (reader != null) {
                try {
                    reader.read(message.value(), rows);
                } catch (IOException e) {
                    throw new IllegalStateException("a message is not what was asked for", e);
                }
            }
            callback.delivered();
        }

        @Override
        public OptionalInt partitionsOf(String topic) {
            return OptionalInt.of(partitions);
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
}
