package io.sluice.admin.fleet.watch;

/** Watches a server. Thread-safe; nothing here waits. */
public interface ServerWatch extends AutoCloseable {
    /** What is known now. */
    ServerStatus status();

    /** Does what is due; called every second. */
    void tick();

    /** Asks again as soon as possible, since something may have changed. */
    void hurry();

    @Override
    void close();
}
