package io.sluice.protocol.pattern;

/** A list of expressions is refused, since matching it could take too long; the message says why, and what to change. */
public final class UnsafePatternException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    UnsafePatternException(String message) {
        super(message);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
