package io.sluice.server.control;

/**
 * An action, as the audit log records it.
 *
 * @param action such as {@code login} or {@code stop}
 * @param destination the instance concerned; blank if it is none, or all
 * @param before the state before; blank if it has none
 * @param after the state that it has led to, or why it has failed; blank if there is none
 * @param done whether it was carried out
 */
public record AuditEntry(Actor actor, String action, String destination, String before, String after, boolean done) {}
