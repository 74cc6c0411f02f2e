package io.sluice.server.api;

import io.sluice.server.config.port.ControlRole;
import io.sluice.server.control.Actor;

/**
 * A caller of the API.
 *
 * @param name of the token, or of the client's certificate
 * @param remote the address it calls from
 * @param onBehalfOf the user that it acts for by its own statement, such as a user of an admin server; blank without one. It gives no right
 */
record Caller(String name, ControlRole role, String remote, String onBehalfOf) {
    /** The caller, as the audit log names it. */
    Actor actor() {
        return new Actor(name, onBehalfOf, remote);
    }

    /** The name, and the user that it acts for. */
    String shownName() {
        return onBehalfOf.isEmpty() || onBehalfOf.equals(name) ? name : onBehalfOf + " by " + name;
    }
}
