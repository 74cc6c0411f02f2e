package io.sluice.admin.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A text with its version, as the API shows it. It may hold passwords.
 *
 * @param md5 of the UTF-8 bytes of the content, in lower case hex
 * @param version from 1
 * @param modified when it was saved
 * @param modifiedBy the user who saved it
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Config(
        String content,
        String md5,
        long version,
        @Nullable Instant modified,
        @Nullable String modifiedBy) {
    /** Without the content. */
    @Override
    public String toString() {
        return "Config[version=" + version + ", md5=" + md5 + "]";
    }
}
