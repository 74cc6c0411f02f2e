package io.sluice.server.control;

/**
 * Why a server does not have a destination that it knows.
 *
 * @param problem the reason in a sentence
 */
public record Missing(Reason reason, String problem) {
    /** The kinds of reasons. */
    public enum Reason {
        /** It is configured, and its configuration was never right. */
        INVALID("invalid"),

        /** It is configured and right, and waits until other instances are changed. */
        PENDING("pending"),

        /** It was removed from the configuration, and its instance did not end in good order. */
        NOT_ENDED("not_ended");

        private final String state;

        Reason(String state) {
            this.state = state;
        }

        /** The state of such a destination, in one word. */
        public String state() {
            return state;
        }

        /** Whether an operator has to act. */
        public boolean needsAction() {
            return this != PENDING;
        }
    }
}
