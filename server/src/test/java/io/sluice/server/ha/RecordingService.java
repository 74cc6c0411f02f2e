package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A service that only records the calls to it; it can be made to fail. */
final class RecordingService implements Service {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile @Nullable OwnershipTerm term;
    private volatile boolean broken;
    private volatile boolean failed;

    List<String> calls() {
        return List.copyOf(calls);
    }

    /** The term in which it runs, or ran last. */
    OwnershipTerm term() {
        OwnershipTerm last = term;
        if (last == null) {
            throw new IllegalStateException("never started");
        }
        return last;
    }

    Ownership ownership() {
        return term().ownership();
    }

    boolean isRunning() {
        return !calls.isEmpty() && calls.get(calls.size() - 1).equals("start");
    }

    /** Makes every start fail, or none. */
    void breakDown(boolean nowBroken) {
        broken = nowBroken;
    }

    void fail() {
        failed = true;
    }

    @Override
    public void start(OwnershipTerm newTerm) {
        if (broken) {
            calls.add("broken");
            throw new IllegalStateException("it was made to fail");
        }
        term = newTerm;
        failed = false;
        calls.add("start");
    }

    @Override
    public void stop(Duration limit) {
        calls.add("stop");
    }

    @Override
    public void abandon() {
        calls.add("abandon");
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }
}
