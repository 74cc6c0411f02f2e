package io.sluice.admin.fleet.api;

import org.jspecify.annotations.Nullable;

/**
 * What an action has done.
 *
 * @param changed false if it was so before
 * @param message what there is to say about it
 */
record ActionResult(boolean changed, @Nullable String message) {
    /** The same, with more to say. */
    ActionResult with(String more) {
        return new ActionResult(changed, message == null ? more : message + " " + more);
    }
}
