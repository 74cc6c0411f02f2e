package io.sluice.server.instance;

/** The state of an instance. */
public enum InstanceState {
    /** Made, not started. */
    NEW,
    /** It has not read from its source yet. */
    CONNECTING,
    /** It reads. */
    RUNNING,
    /** The source is gone; it tries again. */
    RETRYING,
    /** It cannot continue, and says why. */
    FAILED,
    /** It was stopped. */
    STOPPED
}
