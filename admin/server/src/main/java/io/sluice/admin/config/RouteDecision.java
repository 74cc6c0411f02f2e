package io.sluice.admin.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the changes of a table go.
 *
 * @param table {@code schema.table}
 * @param accepted whether the filters let them pass
 * @param topics empty if clients pull
 * @param partition the rule, in words; null if there are no partitions
 * @param reason why they are left out, or what is wrong with the topic; null if there is nothing to report
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record RouteDecision(
        String table,
        boolean accepted,
        List<String> topics,
        @Nullable String partition,
        @Nullable String reason) {
    /** The characters of all of its texts. */
    long characters() {
        return table.length()
                + topics.stream().mapToLong(String::length).sum()
                + (partition == null ? 0 : partition.length())
                + (reason == null ? 0 : reason.length());
    }
}
