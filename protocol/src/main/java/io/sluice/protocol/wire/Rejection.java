package io.sluice.protocol.wire;

import java.util.Optional;

/**
 * The errors by which a server rejects a request in the same way however often it is sent. The protocol has no code for each
 * of them, so they are distinguished by their texts: those of canal where canal has the error, byte for byte.
 */
public enum Rejection {
    /** User or password are wrong. */
    AUTH_FAILED("auth failed") {
        @Override
        boolean isIn(String message) {
            return message.startsWith(text());
        }
    },

    /** The filter of a subscription cannot be read, or is not safe to match. */
    FILTER_REJECTED("the filter is refused"),

    /** The client has no subscription for the destination. */
    NOT_SUBSCRIBED("should subscribe first");

    private final String text;

    Rejection(String text) {
        this.text = text;
    }

    /** The message for a login that failed. */
    public static String authFailed(String user) {
        return AUTH_FAILED.text + " for user:" + user;
    }

    /** The message for a filter that is rejected. */
    public static String filterRejected(String reason) {
        return FILTER_REJECTED.text + ": " + reason;
    }

    /** The message for a request of a client that has no subscription. */
    public static String notSubscribed(String destination, int clientId) {
        return "ClientIdentity:ClientIdentity[destination=%s,clientId=%d] %s"
                .formatted(destination, clientId, NOT_SUBSCRIBED.text);
    }

    /**
     * Finds what a server has rejected.
     *
     * @param message the message of an error packet, which may quote the text after other words
     * @return empty if it is another error, after which a retry may succeed
     */
    public static Optional<Rejection> of(String message) {
        for (Rejection rejection : values()) {
            if (rejection.isIn(message)) {
                return Optional.of(rejection);
            }
        }
        return Optional.empty();
    }

    String text() {
        return text;
    }

    boolean isIn(String message) {
        return message.contains(text);
    }
}
