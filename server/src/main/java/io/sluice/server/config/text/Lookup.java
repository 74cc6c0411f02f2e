package io.sluice.server.config.text;

import org.jspecify.annotations.Nullable;

/** Finds the value that counts for a key, among the layers that may set it. */
@FunctionalInterface
public interface Lookup {
    @Nullable Setting find(String key);
}
