package io.sluice.server.api;

/** A call is answered by an error; the message states why, and what to do. */
final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;

    ApiException(int status, String message) {
        super(message);
        this.status = status;
    }

    static ApiException badRequest(String message) {
        return new ApiException(400, message);
    }

    /** The status of HTTP. */
    int status() {
        return status;
    }
}
