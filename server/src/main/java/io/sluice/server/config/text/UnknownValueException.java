package io.sluice.server.config.text;

/** The value of a placeholder is known only on the machine of the server: it is neither right nor wrong. */
final class UnknownValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
