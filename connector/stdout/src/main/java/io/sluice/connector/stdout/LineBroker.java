package io.sluice.connector.stdout;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.Message;
import java.io.IOException;
import java.time.Duration;

/** Writes each message before {@code send} returns. What the system has taken is delivered, so nothing is ever in flight. */
final class LineBroker implements Broker, BrokerConnection {
    private static final int MAX_BYTES = 512 << 20; // an array of the line must be possible, in Base64 too

    private final LineSink sink;
    private final boolean prefixed;

    /** Closes the sink in the end. */
    LineBroker(LineSink sink, boolean prefixed) {
        this.sink = sink;
        this.prefixed = prefixed;
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        return this;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) throws IOException {
        sink.write(Line.of(message, prefixed));
        callback.delivered();
    }

    @Override
    public int maxValueBytes() {
        return MAX_BYTES;
    }

    @Override
    public void flush() {}

    @Override
    public void settle(Duration limit) {}

    @Override
    public void cut(Exception cause) {}

    @Override
    public void close(Duration limit) {
        sink.close();
    }
}
