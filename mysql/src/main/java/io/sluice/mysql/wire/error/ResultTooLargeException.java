package io.sluice.mysql.wire.error;

/** Thrown if an answer to a query is larger than what may be kept of it. The server may be the right one, and the heap too small. */
public final class ResultTooLargeException extends MalformedPacketException {
    private final String excess;
    private final String remedy;
    private final boolean isOfProcess;

    /**
     * Makes the exception.
     *
     * @param excess states the limit, and how it was exceeded
     * @param remedy what to do about it
     */
    public ResultTooLargeException(String excess, String remedy) {
        this(excess, remedy, false);
    }

    private ResultTooLargeException(String excess, String remedy, boolean isOfProcess) {
        super(excess + ": " + remedy);
        this.isOfProcess = isOfProcess;
        this.excess = excess;
        this.remedy = remedy;
    }

    /** Returns the failure of something for which the heap of this process has no room, whatever server it comes from. */
    public static ResultTooLargeException ofProcess(String excess, String remedy) {
        return new ResultTooLargeException(excess, remedy, true);
    }

    /** Whether the heap of this process has no room, whatever the server. */
    public boolean isOfProcess() {
        return isOfProcess;
    }

    /** Returns this failure with the operation in its message, and this one as its cause. */
    public ResultTooLargeException of(String doing) {
        ResultTooLargeException named = new ResultTooLargeException(doing + ": " + excess, remedy, isOfProcess);
        named.initCause(this);
        return named;
    }

    /** The limit, and how it was exceeded. */
    public String excess() {
        return excess;
    }

    /** What to do about it. */
    public String remedy() {
        return remedy;
    }
}
