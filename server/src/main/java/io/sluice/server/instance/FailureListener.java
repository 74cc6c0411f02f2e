package io.sluice.server.instance;

/** Called when an instance cannot continue. */
@FunctionalInterface
public interface FailureListener {
    /** Called once at most, by one of the instance's threads; must not stop the instance and wait for it. */
    void failed(String instance, Throwable cause);
}
