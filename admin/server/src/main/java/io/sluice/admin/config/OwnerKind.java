package io.sluice.admin.config;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a configuration is of. */
public enum OwnerKind {
    /** An {@code instance.properties}. */
    INSTANCE,
    /** The {@code canal.properties} of a server that belongs to no cluster. */
    SERVER,
    /** The {@code canal.properties} of all servers of a cluster. */
    CLUSTER;

    /** The name as the API and the database have it. */
    @JsonValue
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds one by that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    @JsonCreator
    public static OwnerKind of(String text) {
        for (OwnerKind kind : values()) {
            if (kind.text().equals(text)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("must be instance, server or cluster: " + text);
    }
}
