package io.sluice.admin.time;

import java.util.function.Consumer;

/**
 * Work of an executor that is to be done again, whatever its failure: an executor does not repeat a task that has thrown, and logs nothing. Also an Error
 * may be temporary, as when no thread can be started.
 */
public final class RepeatedWork implements Runnable {
    private final Runnable work;
    private final Consumer<Throwable> log;

    /** @param log logs what the work throws */
    public RepeatedWork(Runnable work, Consumer<Throwable> log) {
        this.work = work;
        this.log = log;
    }

    /** Does the work; logs a failure instead of throwing it. */
    @Override
    public void run() {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            log.accept(e);
        }
    }
}
