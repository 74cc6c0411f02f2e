package io.sluice.server.config.port;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a caller of the control API may do; each role may also do what those before it may. */
public enum ControlRole {
    /** See the state of everything, but no values of rows. */
    VIEWER,
    /** Pause, resume, limit, start, stop, restart and reload instances. */
    OPERATOR,
    /** Move cursors, and see values of rows. */
    ADMINISTRATOR;

    /** As files spell it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The role that is spelled so; empty if there is none. */
    public static Optional<ControlRole> find(String spelling) {
        return Arrays.stream(values())
                .filter(role -> role.spelling().equals(spelling))
                .findFirst();
    }

    /** Whether the role permits what needs at least another role. */
    public boolean mayDoWhatNeeds(ControlRole needed) {
        return compareTo(needed) >= 0;
    }
}
