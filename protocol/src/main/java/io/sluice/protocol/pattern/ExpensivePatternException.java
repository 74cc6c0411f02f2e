package io.sluice.protocol.pattern;

import org.jspecify.annotations.Nullable;

/** It cannot be decided in a reasonable time whether a name matches a list of expressions. */
public class ExpensivePatternException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    ExpensivePatternException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
