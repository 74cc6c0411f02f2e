package io.sluice.server.simulation;

import io.sluice.connector.api.deliver.SimulatedBroker.Clock;
import io.sluice.server.EndlessExecutor;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Runs tasks in simulated time, until its process is dead. */
final class SimulatedScheduler extends EndlessExecutor implements ScheduledExecutorService {
    private final Clock time;
    private final BooleanSupplier isDead;

    SimulatedScheduler(Clock time, BooleanSupplier isDead) {
        this.time = time;
        this.isDead = isDead;
    }

    private static final class Scheduled<T> extends FutureTask<T> implements ScheduledFuture<T> {
        Scheduled(Callable<T> task) {
            super(task);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(hashCode(), other.hashCode());
        }

        @Override
        public boolean runAndReset() {
            return super.runAndReset();
        }
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(
                () -> {
                    task.run();
                    return true;
                },
                delay,
                unit);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> task, long delay, TimeUnit unit) {
        Scheduled<V> scheduled = new Scheduled<>(task);
        time.schedule(unit.toNanos(delay), () -> {
            if (!isDead.getAsBoolean()) {
                scheduled.run();
            }
        });
        return scheduled;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, long first, long period, TimeUnit unit) {
        return scheduleWithFixedDelay(task, first, period, unit);
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long delay, TimeUnit unit) {
        Scheduled<Boolean> scheduled = new Scheduled<>(() -> {
            task.run();
            return true;
        });
        repeat(scheduled, unit.toNanos(first), unit.toNanos(delay));
        return scheduled;
    }

    private void repeat(Scheduled<Boolean> task, long first, long delay) {
        time.schedule(first, () -> {
            if (!isDead.getAsBoolean() && !task.isDone() && task.runAndReset()) {
                repeat(task, delay, delay);
            }
        });
    }

    @Override
    public void execute(Runnable task) {
        time.schedule(0, () -> {
            if (!isDead.getAsBoolean()) {
                task.run();
            }
        });
    }
}
