package io.sluice.protocol.pattern;

/** It cannot be decided in a reasonable time whether a name matches a list of expressions. */
public final class ExpensivePatternException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ExpensivePatternException(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
