package io.sluice.connector.kafka;

import io.sluice.connector.api.producer.Ownership;
import java.util.concurrent.CountDownLatch;

/**
 * An ownership whose holder can be stopped right behind its look at the clock, as a process is that is frozen there: it has
 * seen that the ownership is held, and goes on with that when it wakes up.
 */
final class GatedOwnership implements Ownership {
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final CountDownLatch awake = new CountDownLatch(1);
    private String looker = "";
    private int looksLeft = Integer.MAX_VALUE;

    /** Stops whoever looks for the nth time from now on. */
    synchronized void stopAtLook(int n) {
        looksLeft = n;
    }

    /** Stops a thread of that name as soon as it looks. */
    synchronized void stopAtLookOf(String thread) {
        looker = thread;
        looksLeft = 1;
    }

    void awaitStop() throws InterruptedException {
        stopped.await();
    }

    void wakeUp() {
        awake.countDown();
    }

    private synchronized boolean isTheLast() {
        return (looker.isEmpty() || looker.equals(Thread.currentThread().getName())) && --looksLeft == 0;
    }

    @Override
    public boolean isHeld() {
        if (isTheLast()) {
            stopped.countDown();
            try {
                awake.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return true;
    }

    @Override
    public long epoch() {
        return 0;
    }
}
