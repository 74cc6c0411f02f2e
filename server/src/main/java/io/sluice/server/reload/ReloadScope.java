package io.sluice.server.reload;

import org.jspecify.annotations.Nullable;

/**
 * Which destinations a reload takes over.
 *
 * @param only the only one, which is restarted also if nothing has changed; null for all that have changed
 */
record ReloadScope(@Nullable String only) {
    static final ReloadScope ALL = new ReloadScope(null);

    static ReloadScope of(String destination) {
        return new ReloadScope(destination);
    }

    boolean isAll() {
        return only == null;
    }

    boolean covers(String destination) {
        return only == null || only.equals(destination);
    }
}
