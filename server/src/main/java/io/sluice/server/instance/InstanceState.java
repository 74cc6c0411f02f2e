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
    /** The instance is being stopped and has not failed: it reads nothing more, what is in flight is delivered, and the cursor is written. */
    STOPPING,
    /** The instance was stopped. */
    STOPPED
}
