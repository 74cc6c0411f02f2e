package io.sluice.server.ha;

import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A service that only records the calls to it; it can be made to fail. */
public final class RecordingService implements Service {
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile @Nullable OwnershipTerm term;
    private volatile boolean broken;
    private volatile boolean failed;
    private volatile boolean balanced = true;
    private volatile boolean isDoubtful;
    private final List<Obstacle> obstacles = new CopyOnWriteArrayList<>();
    private volatile boolean recovers;
    private volatile Runnable onStart = () -> {};
    private volatile Runnable onStop = () -> {};

    public List<String> calls() {
        return List.copyOf(calls);
    }

    /** The term in which it runs, or ran last. */
    public OwnershipTerm term() {
        OwnershipTerm last = term;
        if (last == null) {
            throw new IllegalStateException("never started");
        }
        return last;
    }

    public Ownership ownership() {
        return term().ownership();
    }

    public boolean isRunning() {
        return !calls.isEmpty() && calls.get(calls.size() - 1).equals("start");
    }

    /** Makes every start fail, or none. */
    public void breakDown(boolean nowBroken) {
        broken = nowBroken;
    }

    /** Something that it has sent may arrive after each end. */
    public void leaveSomethingOnItsWay() {
        isDoubtful = true;
    }

    /** It is left to no other server for balance. */
    void stayWhereItIs() {
        balanced = false;
    }

    /** Runs a task in each start. */
    public void onStart(Runnable task) {
        onStart = task;
    }

    /** Runs a task in the next stop. */
    void onStop(Runnable task) {
        onStop = task;
    }

    /** What has kept it from being started, as often as it was told. */
    public List<Obstacle> obstacles() {
        return List.copyOf(obstacles);
    }

    /** It is started again before it is stopped after its next failure. */
    void recover() {
        recovers = true;
    }

    public void fail() {
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
        onStart.run();
        calls.add("start");
    }

    @Override
    public boolean stop(Duration limit) {
        Runnable task = onStop;
        onStop = () -> {};
        task.run();
        calls.add("stop");
        return !isDoubtful;
    }

    @Override
    public boolean abandon() {
        calls.add("abandon");
        return !isDoubtful;
    }

    @Override
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public Optional<Boolean> stopIfFailed() {
        if (recovers) {
            recovers = false;
            failed = false;
        }
        return Service.super.stopIfFailed();
    }

    @Override
    public boolean isBalanced() {
        return balanced;
    }

    @Override
    public void isUncoordinated(Obstacle obstacle) {
        obstacles.add(obstacle);
    }
}
