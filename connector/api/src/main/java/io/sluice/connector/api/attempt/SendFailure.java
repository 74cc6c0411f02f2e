package io.sluice.connector.api.attempt;

import io.sluice.connector.api.producer.FailureKind;

/**
 * Why a message was not sent.
 *
 * @param cause the failure for the caller; it names the option to change, if there is one
 * @param kind what that means for the next attempt
 */
public record SendFailure(Exception cause, FailureKind kind) {
    /** A failure that may pass by itself. */
    public static SendFailure passing(Exception cause) {
        return new SendFailure(cause, FailureKind.PASSING);
    }
}
