package io.sluice.admin.canal.polling;

import org.jspecify.annotations.Nullable;

/**
 * An answer as canal-admin gives it, with HTTP status 200 in any case.
 *
 * @param code 20000 for success
 * @param message why it is no success
 * @param data null also means that nothing has changed
 */
record Envelope(
        int code, @Nullable String message, @Nullable Object data) {
    static final int OK = 20_000;
    static final int UNAUTHORIZED = 40_001;
    static final int FAILED = 50_000;

    static Envelope of(@Nullable Object data) {
        return new Envelope(OK, null, data);
    }

    static Envelope unauthorized(String message) {
        return new Envelope(UNAUTHORIZED, message, null);
    }

    static Envelope failed(String message) {
        return new Envelope(FAILED, message, null);
    }
}
