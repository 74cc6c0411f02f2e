package io.sluice.server.ha;

/** Makes a server a candidate for destinations. Thread-safe. */
@FunctionalInterface
public interface Candidacies {
    /**
     * Makes this server a candidate for a destination, once the candidacy is wanted and until it is closed.
     *
     * @throws RuntimeException if that cannot be done now
     * @throws OutOfMemoryError if no thread can be started
     */
    Candidacy candidacyFor(String destination, Service service);
}
