package io.sluice.server.reload;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A task that takes over changes of the configuration, to be run regularly. It does nothing while it runs already. Thread-safe. */
public final class ConfigScan implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(ConfigScan.class);

    private final Reloads reloads;
    private final AtomicBoolean isRunning = new AtomicBoolean();

    /** Creates one; nothing is looked at before it is run. */
    public ConfigScan(Reloads reloads) {
        this.reloads = reloads;
    }

    @Override
    public void run() {
        if (isRunning.compareAndSet(false, true)) {
            try {
                reloads.look();
            } catch (Throwable e) { // the top of the task
                LOG.error("changes of the configuration cannot be taken over", e);
            } finally {
                isRunning.set(false);
            }
        }
    }
}
