package io.sluice.server.instance;

/** How an instance fares. */
public enum InstanceState {
    /** Made, not started. */
    NEW,
    /** It has not read from its source yet. */
    CONNECTING,
    /** It reads. */
    RUNNING,
    /** The source is gone; it tries again. */
    RETRYING,
    /** It cannot go on, and says why. */
    FAILED,
    /** It was stopped. */
    STOPPED
}
