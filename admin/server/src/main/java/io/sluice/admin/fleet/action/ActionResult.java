package io.sluice.admin.fleet.action;

import org.jspecify.annotations.Nullable;

/**
 * What an action has done.
 *
 * @param changed false if it was so before
 * @param message the outcome as a sentence
 */
public record ActionResult(boolean changed, @Nullable String message) {
    /** Returns a copy whose message has one more sentence. */
    public ActionResult with(String more) {
        return new ActionResult(changed, message == null ? more : message + " " + more);
    }
}
