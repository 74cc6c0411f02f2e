package io.sluice.server.config.text;

import java.util.Objects;

/** A text that must not get into a log: only {@link #value()} reveals it. */
public final class Secret {
    /** What is shown in place of it. */
    public static final String MASK = "******";

    private final String value;

    public Secret(String value) {
        this.value = Objects.requireNonNull(value);
    }

    public String value() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret && value.equals(secret.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value.isEmpty() ? "" : MASK;
    }
}
