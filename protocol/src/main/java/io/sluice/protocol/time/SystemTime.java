package io.sluice.protocol.time;

import java.time.Duration;

/** The clocks of this machine. The only class of a server that reads them. */
final class SystemTime implements Time {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long millis() {
        return System.currentTimeMillis();
    }

    @Override
    public void sleep(Duration length) throws InterruptedException {
        Thread.sleep(length.toMillis());
    }
}
