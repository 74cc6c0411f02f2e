package io.sluice.server.pull;

/** A client asked for what it cannot have; the message is for the client, in canal's words. */
public final class PullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PullException(String message) {
        super(message);
    }

    /** What a client hears of a destination that does not run, or that there is none of. */
    public static PullException notStarted(String destination) {
        return new PullException("destination:" + destination + " should start first");
    }
}
