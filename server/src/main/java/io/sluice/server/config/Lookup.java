package io.sluice.server.config;

import org.jspecify.annotations.Nullable;

/** Finds the value that counts for a key, among the layers that may set it. */
@FunctionalInterface
interface Lookup {
    @Nullable Setting find(String key);
}
