package io.sluice.admin.web;

import io.sluice.admin.account.Caller;
import io.sluice.admin.account.Role;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The access that an operation requires, by {@code x-role} of {@code openapi.json}. */
enum Access {
    /** Everybody. */
    NONE(null),
    /** Any user who is logged in, even if a password has to be changed first. */
    ANY(null),
    VIEWER(Role.VIEWER),
    OPERATOR(Role.OPERATOR),
    ADMINISTRATOR(Role.ADMINISTRATOR);

    private final @Nullable Role role;

    Access(@Nullable Role role) {
        this.role = role;
    }

    static Access of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }

    /** Whether a caller may; null: not logged in. */
    boolean allows(@Nullable Caller caller) {
        if (this == NONE) {
            return true;
        }
        if (caller == null) {
            return false;
        }
        return role == null || (!caller.mustChangePassword() && caller.role().includes(role));
    }
}
