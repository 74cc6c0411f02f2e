package io.sluice.stream.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.RepeatedWarning;
import io.sluice.protocol.time.Time;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs tasks by the workers of a shared pool, or in the calling thread if the pool cannot take one since no thread can be started for it: a chunk
 * that is never encoded would hold up all that follow. In that case a pool may have taken the task nevertheless, so it must be one that may run
 * twice. Thread-safe.
 */
final class EncoderTasks implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(EncoderTasks.class);

    private final Executor workers;

    @GuardedBy("this") private final RepeatedWarning warning;

    EncoderTasks(Executor workers, Time time) {
        this.workers = workers;
        this.warning = new RepeatedWarning(time);
    }

    @Override
    public void execute(Runnable task) {
        try {
            workers.execute(task);
            return;
        } catch (Error e) {
            warn(e);
        }
        task.run();
    }

    private synchronized void warn(Error cause) {
        long count = warning.count();
        if (count > 0) {
            LOG.warn(
                    "no worker takes what is to be encoded, the calling thread does it, which is slower: times={} cause={}",
                    count,
                    String.valueOf(cause));
        }
    }
}
