package io.sluice.admin.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A change, as the API shows it.
 *
 * @param from the address
 * @param before what was there, without secrets
 * @param after what is there now, without secrets
 * @param outcome {@code done}, {@code unchanged} if it was so before, {@code refused}, {@code failed}, or {@code begun} if it has no end yet or that could not be recorded
 * @param detail why it was not done
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record AuditEntry(
        long id,
        Instant time,
        String user,
        String from,
        String action,
        String target,
        @Nullable String before,
        @Nullable String after,
        String outcome,
        @Nullable String detail) {}
