package io.sluice.testkit.process;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server in a process of its own, which can end in every way there is, and start again at the same address with the same
 * data. For one thread at a time.
 */
public abstract class RestartableServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RestartableServer.class);
    private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);
    private static final int PORTS_TO_TRY = 3;

    private @Nullable ServerProcess process;

    /** Starts the process, and does not wait until it answers. */
    protected abstract ServerProcess startProcess();

    /** Whether the server answers; asked again and again after its process was started. */
    protected abstract boolean answers();

    /** What it is and where, for messages: {@code Kafka on port 9092}. */
    protected abstract String description();

    /** Chooses free ports. Called before each attempt of {@link #launchOnFreePorts}. */
    protected void choosePorts() {
        throw new UnsupportedOperationException(description() + " has a fixed port");
    }

    /** Whether a start may have failed since another program was quicker to bind a port; asked after the process has ended. */
    protected boolean mayHaveLostPort(IllegalStateException failure) {
        return true;
    }

    /**
     * Starts a new server by some steps, and closes it if one of them fails.
     *
     * @return the server
     */
    protected static <S extends RestartableServer> S startOrClose(S server, Runnable steps) {
        try {
            steps.run();
            return server;
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /**
     * Launches the server on free ports, and on others if it lost one of them.
     *
     * @throws IllegalStateException with the end of its log, if it does not answer
     */
    protected final void launchOnFreePorts() {
        for (int attempt = 1; ; attempt++) {
            choosePorts();
            try {
                launch();
                return;
            } catch (IllegalStateException e) {
                if (attempt == PORTS_TO_TRY || !mayHaveLostPort(e)) {
                    throw e;
                }
                LOG.debug("{} did not start, trying other ports", description(), e);
            }
        }
    }

    /**
     * Starts the process and returns when the server answers.
     *
     * @throws IllegalStateException with the end of its log, if it does not
     */
    protected final void launch() {
        long begin = System.nanoTime();
        ServerProcess started = startProcess();
        process = started;
        boolean answered = Polling.await(START_TIMEOUT, () -> !started.isAlive() || answers());
        if (!started.isAlive() || !answered) {
            killProcess();
            throw new IllegalStateException("%s did not come up: %s".formatted(description(), started.logTail()));
        }
        LOG.debug("{} is up: millis={}", description(), (System.nanoTime() - begin) / 1_000_000);
    }

    /** Ends the process at once, if there is one; what it has not written is not needed. */
    protected final void killProcess() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }

    /** Starts the server again, at the same address and with the same data, after it was stopped or killed. */
    public final void restart() {
        if (isRunning()) {
            stop();
        }
        launch();
    }

    /** Stops the server cleanly. */
    public final void stop() {
        ServerProcess running = process;
        if (running != null) {
            running.stop(STOP_TIMEOUT);
            process = null;
        }
    }

    /** Ends the server as a crash would. */
    public final void kill() {
        running().kill();
        process = null;
    }

    /** Freezes the server: its connections stay open, and nothing answers. */
    public final void pause() {
        running().pause();
    }

    /** Continues a paused server. */
    public final void resume() {
        running().resume();
    }

    /** Whether the process runs. */
    public final boolean isRunning() {
        return process != null && process.isAlive();
    }

    /** The process id of the server itself. */
    public final long pid() {
        return running().pid();
    }

    private ServerProcess running() {
        ServerProcess running = process;
        if (running == null) {
            throw new IllegalStateException(description() + " was stopped");
        }
        return running;
    }

    @Override
    public abstract void close();
}
