package io.sluice.server.probe;

import io.sluice.connector.api.probe.Findings;
import io.sluice.mysql.wire.query.ResultLimit;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs probes at once, each on a thread of its own and within the same time limit. What a probe has found when its time is over
 * is kept.
 */
final class ProbeThreads implements AutoCloseable {
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "probe");
        thread.setDaemon(true); // one that waits for a server must not keep the process
        return thread;
    });

    private final Duration limit;
    private final Consumer<String> progress;

    /** @param progress gets a line for each probe that begins or ends, by several threads */
    ProbeThreads(Duration limit, Consumer<String> progress) {
        this.limit = limit;
        this.progress = progress;
    }

    /** Runs a probe and waits for its end, but no longer than the limit. */
    TargetReport run(String owner, String target, Probe probe) throws InterruptedException {
        Findings findings = new Findings();
        String name = owner.isEmpty() ? target : owner + ": " + target;
        progress.accept("trying " + name);
        Future<?> running = threads.submit(() -> {
            probe.run(findings);
            return null;
        });
        try {
            running.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            findings.unknown(
                    "time limit",
                    "not finished after %d s; the rest was not tried".formatted(limit.toSeconds()),
                    "check the network to the server and its load");
        } catch (ExecutionException e) {
            findings.unknown("probe", "not finished: " + e.getCause(), remedy(e.getCause()));
        } finally {
            running.cancel(true);
        }
        progress.accept("tried " + name);
        return new TargetReport(target, findings.list());
    }

    private static String remedy(@Nullable Throwable failure) {
        return failure instanceof OutOfMemoryError
                ? "raise %s, this process has %d bytes of heap"
                        .formatted(
                                ResultLimit.HEAP_SETTING, Runtime.getRuntime().maxMemory())
                : "report it, with the log";
    }

    /** Runs something that runs probes. */
    <T> Future<T> submit(Callable<T> work) {
        return threads.submit(work);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
