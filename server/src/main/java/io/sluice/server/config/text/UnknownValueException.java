package io.sluice.server.config.text;

/** The value of a placeholder is known on another machine only, or must not be known: it is neither right nor wrong. */
final class UnknownValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;
}
