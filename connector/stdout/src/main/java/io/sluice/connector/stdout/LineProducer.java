package io.sluice.connector.stdout;

import io.sluice.connector.api.producer.DeliveryCallback;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.Ownership;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Writes each message before it returns; what the system has is delivered. */
final class LineProducer implements MessageProducer {
    private static final int MAX_BYTES = 512 << 20; // an array of the line must be possible, in Base64 too

    private final LineSink sink;
    private final boolean prefixed;
    private final Ownership ownership;
    private @Nullable Exception failure;
    private boolean closed;

    LineProducer(LineSink sink, boolean prefixed, Ownership ownership) {
        this.sink = sink;
        this.prefixed = prefixed;
        this.ownership = ownership;
    }

    @Override
    public void send(Message message, DeliveryCallback callback) {
        Exception problem;
        FailureKind kind = FailureKind.PASSING;
        synchronized (this) {
            if (closed) {
                problem = new IllegalStateException("the producer was closed");
                kind = FailureKind.BROKEN;
            } else if (failure == null) {
                problem = write(message);
                failure = problem;
            } else {
                problem = new IOException("not written, since a message before it failed: " + failure, failure);
            }
        }
        if (problem == null) {
            callback.delivered();
        } else {
            callback.failed(problem, kind);
        }
    }

    private @Nullable Exception write(Message message) {
        if (!ownership.isHeld()) {
            return new IOException("not written, since this server is not sure to own the destination any more");
        }
        try {
            sink.write(Line.of(message, prefixed));
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    @Override
    public int maxValueBytes() {
        return MAX_BYTES;
    }

    @Override
    public void flush() {}

    @Override
    public synchronized void restart() {
        failure = null;
    }

    /** Each message is answered before {@link #send} returns, so there is nothing to give up. */
    @Override
    public void abandon() {}

    @Override
    public void close(Duration longest) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        sink.close();
    }
}
