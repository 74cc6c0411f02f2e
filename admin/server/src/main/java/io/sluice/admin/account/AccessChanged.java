package io.sluice.admin.account;

/**
 * A user may do less than before, or a session of theirs has ended: streams that were opened by them have to end, so that they are
 * opened again with the rights of now. Published when the change is committed.
 *
 * @param user the login name
 */
public record AccessChanged(String user) {}
