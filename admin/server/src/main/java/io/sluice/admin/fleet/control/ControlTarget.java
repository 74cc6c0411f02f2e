package io.sluice.admin.fleet.control;

/**
 * A control API, and the token that is sent to it.
 *
 * @param url where it is
 * @param token blank if there is none
 */
public record ControlTarget(ControlUrl url, String token) {
    /** Leaves out the token. */
    @Override
    public String toString() {
        return url.toString();
    }
}
