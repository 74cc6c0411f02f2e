package io.sluice.connector.api.producer;

import java.time.Duration;

/** A producer that keeps no message, so that there is nothing to flush, to abandon, or to restart after. Base of fakes. */
public abstract class UnbufferedProducer implements MessageProducer {
    private static final int MAX_VALUE_BYTES = 1 << 20;

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
