package io.sluice.admin.config;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A version of a configuration, without its text.
 *
 * @param version from 1
 * @param time when it was saved, or noticed
 * @param user the user that saved it; {@code (database)} for what was found there
 * @param comment the comment of the user; null if there is none
 * @param md5 of the UTF-8 bytes of the content, in lower case hex
 * @param bytes length of the content in UTF-8
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ConfigVersion(
        long version, Instant time, String user, @Nullable String comment, String md5, long bytes) {}
