package io.sluice.admin.account;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An open session of a user.
 *
 * @param id names the session, but is not its secret
 * @param from the address of the login
 * @param agent the user agent of the login; null if there was none
 * @param current whether it is that of this request
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record OpenSession(
        String id,
        String user,
        Instant since,
        Instant lastCall,
        String from,
        @Nullable String agent,
        boolean current) {}
