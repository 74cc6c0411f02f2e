package io.sluice.protocol.pattern;

/** A list of expressions is rejected, since matching it could take too long; the message has the reason and the remedy. */
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
