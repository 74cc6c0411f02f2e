package io.sluice.admin.notice;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something was changed here and is committed. Listeners take it by {@code EventListener}; they are called by the thread that made
 * the change, and must neither block nor fail.
 *
 * @param what sort of thing
 * @param id an id, or a name for instances and users; null: several
 * @param of what the id is of, for a configuration: {@code instance}, {@code server} or {@code cluster}; null for others
 */
public record ChangeNotice(
        What what, @Nullable String id, @Nullable String of) {
    /** A sort of thing. */
    public enum What {
        /** Servers and clusters. */
        SERVERS,
        INSTANCES,
        CONFIG,
        USERS;

        /** The name as the API has it. */
        @JsonValue
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
