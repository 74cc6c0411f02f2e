package io.sluice.admin.fleet.api;

import org.jspecify.annotations.Nullable;

/**
 * What an action has done.
 *
 * @param changed false if it was so before
 * @param message the outcome as a sentence
 */
record ActionResult(boolean changed, @Nullable String message) {
    /** The same result with a longer message. */
    ActionResult with(String more) {
        return new ActionResult(changed, message == null ? more : message + " " + more);
    }
}
