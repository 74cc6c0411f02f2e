package io.sluice.server.admin;

import io.sluice.server.control.Actor;

/**
 * The client that sends a request.
 *
 * @param user the name that the client has logged in with; may be blank where any name passes
 * @param remote the client's address
 */
record Session(String user, String remote) {
    /** The client, as the audit log names it. */
    Actor actor() {
        return Actor.of(user, remote);
    }
}
