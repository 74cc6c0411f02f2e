package io.sluice.server.control;

/**
 * The user of an action, as the audit log names it.
 *
 * @param name the user, as the client has named itself; blank if unknown
 * @param onBehalfOf the user for whom the client acts, as it says; blank if it says nothing
 * @param remote the client's address; blank if there is none
 */
public record Actor(String name, String onBehalfOf, String remote) {
    /** A user that acts for itself. */
    public static Actor of(String name, String remote) {
        return new Actor(name, "", remote);
    }
}
