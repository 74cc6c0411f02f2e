package io.sluice.connector.api.producer;

/**
 * The broker does not admit the producer: a login, or what TLS verifies, has failed. Reported as {@link FailureKind#BROKEN}; but further connections are tried for some minutes, which also read
 * certificates and tokens again, if the answer {@linkplain #mayPass may pass}, and some if the broker has confirmed messages before. Immutable.
 */
public final class NotAdmittedException extends RuntimeException {
    private static final long serialVersionUID = 2L;

    private final boolean mayPass;

    /**
     * Makes one for an answer that is the same until an operator changes something, such as that a virtual host does not exist.
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
     * Makes one for an answer that may be another one later: the broker has the same if what it asks for logins is down, such as an LDAP server, and if the account is
     * wrong. And certificates, keys and tokens are renewed, often by a program.
     *
     * @param message which settings are to be checked, and what may be down
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
