package io.sluice.connector.api.producer;

/**
 * The broker does not admit the producer: a login, or what TLS verifies, has failed. Reported as {@link FailureKind#BROKEN}; but if the broker has
 * confirmed messages before, some further connections are tried, which also read certificates again. If what knows the accounts may be down, such as an LDAP server, many are tried
 * in any case. Immutable.
 */
public final class NotAdmittedException extends RuntimeException {
    private static final long serialVersionUID = 2L;

    private final boolean mayPass;

    /**
     * Makes the exception with the message for the operator.
     *
     * @param message which settings are to be checked
     * @param cause what the broker's client has reported
     */
    public NotAdmittedException(String message, Throwable cause) {
        this(message, cause, false);
    }

    private NotAdmittedException(String message, Throwable cause, boolean mayPass) {
        super(message, cause);
        this.mayPass = mayPass;
    }

    /**
     * Makes one of a broker whose answer is the same if what knows the accounts is down and if the account is wrong.
     *
     * @param message which settings are to be checked
     * @param cause what the broker's client has reported
     */
    public static NotAdmittedException thatMayPass(String message, Throwable cause) {
        return new NotAdmittedException(message, cause, true);
    }

    /** Whether the broker may admit the producer later though nothing is changed here, also if it has never admitted it. */
    public boolean mayPass() {
        return mayPass;
    }
}
