package io.sluice.server.instance;

/** The state of an instance. */
public enum InstanceState {
    /** Made, not started. */
    NEW,
    /** The instance has not read from its source yet. */
    CONNECTING,
    /** The instance reads. */
    RUNNING,
    /** The source is gone; it tries again. */
    RETRYING,
    /** The instance cannot continue, and reports why. */
    FAILED,
    /** The instance was stopped. */
    STOPPED
}
