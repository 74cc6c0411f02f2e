package io.sluice.mysql.wire.error;

/** Thrown if an answer to a query is larger than what may be kept of it. The server may be the right one, and the heap too small. */
public final class ResultTooLargeException extends MalformedPacketException {
    private final String remedy;

    /**
     * Makes the exception.
     *
     * @param message states the limit, and how it was exceeded
     * @param remedy what to do about it
     */
    public ResultTooLargeException(String message, String remedy) {
        super(message + ": " + remedy);
        this.remedy = remedy;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
