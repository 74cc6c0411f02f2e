package io.sluice.admin.config;

import org.jspecify.annotations.Nullable;

/**
 * The configuration that was edited.
 *
 * @param version 0 for one that is not there yet
 * @param md5 of its content, since a configuration that was deleted and created again has the same versions; null: not compared
 */
public record BasedOn(long version, @Nullable String md5) {
    boolean is(Config config) {
        return version == config.version() && (md5 == null || md5.equals(config.md5()));
    }
}
