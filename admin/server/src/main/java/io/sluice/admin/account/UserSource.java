package io.sluice.admin.account;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What authenticates a user. */
public enum UserSource {
    /** This server, by a password. */
    LOCAL,
    /** An identity provider. */
    OIDC;

    /** The name as the API has it. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
