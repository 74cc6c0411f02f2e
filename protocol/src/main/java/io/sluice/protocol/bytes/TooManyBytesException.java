package io.sluice.protocol.bytes;

/** What was to be written takes more bytes than are allowed; how many it takes in the end was not found out. */
public final class TooManyBytesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long bytes;

    /**
     * Makes an exception.
     *
     * @param needed how many bytes were needed when it was noticed
     * @param allowed how many are allowed
     */
    public TooManyBytesException(long needed, long allowed) {
        this(needed, "%d bytes or more are needed, %d are allowed".formatted(needed, allowed));
    }

    /** Makes an exception with a message that states what is too large, and for what. */
    public TooManyBytesException(long needed, String message) {
        super(message, null, false, false); // is expected, and answered where it is caught
        this.bytes = needed;
    }

    /** How many bytes were needed when it was noticed. */
    public long bytes() {
        return bytes;
    }
}
