package io.sluice.admin.problem;

/** The kinds of failures of a call of a managed server, by its control API or its management port. */
public enum FailureKind {
    /** No connection, no response in time, or a response of another program. */
    UNREACHABLE,
    /** The login failed: the password or token is missing or wrong, or its role is too small. */
    UNAUTHORIZED,
    /** The server was reached, and rejected the call. */
    REJECTED
}
