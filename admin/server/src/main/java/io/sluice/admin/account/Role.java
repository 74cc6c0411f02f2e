package io.sluice.admin.account;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a user may do. Each role may do all that those before it may. */
public enum Role {
    /** Sees what runs; no configuration, since that may hold passwords. */
    VIEWER,
    /** Changes what runs. */
    OPERATOR,
    /** Manages users and servers, too. */
    ADMINISTRATOR;

    /** The name as the API has it. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a role by its name in the API.
     *
     * @throws IllegalArgumentException if there is none
     */
    @JsonCreator
    public static Role of(String text) {
        for (Role role : values()) {
            if (role.text().equals(text)) {
                return role;
            }
        }
        throw new IllegalArgumentException("no role: " + text + "; there are viewer, operator and administrator");
    }

    /** Whether this role may do what the other one may. */
    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }
}
