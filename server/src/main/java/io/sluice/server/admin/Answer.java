package io.sluice.server.admin;

/**
 * The answer to a request.
 *
 * @param code one of those below
 * @param message the result, or why there is none
 */
record Answer(int code, String message) {
    static final int OK = 0;
    /** The login failed, or the kind of packet is not supported. */
    static final int UNAUTHORIZED = 300;
    /** There is no such action. */
    static final int UNKNOWN_ACTION = 301;
    /** Anything else that went wrong. */
    static final int FAILED = 400;

    static Answer of(String result) {
        return new Answer(OK, result);
    }

    /** canal's words for yes and no. */
    static Answer of(boolean result) {
        return of(result ? "1" : "0");
    }
}
