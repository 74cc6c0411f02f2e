package io.sluice.connector.rabbitmq.failure;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.ShutdownSignalException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.rabbitmq.settings.Address;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Classifies failures: those that pass by themselves, and those that need an operator. */
public final class RabbitErrors {
    /** Why a broker that has an alarm does not answer. */
    public static final String BLOCKED = "RabbitMQ blocks publishers, as it does when memory or disk run short";

    /** The JDK's words, which tell it from a node that accepts a connection and says nothing. */
    private static final String CONNECT_TIMED_OUT = "Connect timed out";

    private static final int BASIC_CLASS = 60;
    private static final int PUBLISH_METHOD = 40;

    /** In the texts of RabbitMQ when a node, virtual host or user has too many connections or channels; the code is that of other rejections. It closes the connection. */
    private static final List<String> LIMITS_OF_CONNECTIONS = List.of("connection limit", "number of channels opened");

    /** In the texts of RabbitMQ when a virtual host or the cluster has too many queues or exchanges; the code is that of other rejections. */
    private static final List<String> LIMITS_OF_DECLARATIONS = List.of(": queue limit in ", ": exchange limit of ");

    /** How the text of a rejection by RabbitMQ begins since there is no such queue or exchange. */
    private static final String DOES_NOT_EXIST = "NOT_FOUND - no ";

    /** How it begins when a message was published to an exchange that does not exist. */
    private static final String NO_EXCHANGE = "NOT_FOUND - no exchange ";

    /** In the texts of RabbitMQ for a queue that exists: its node is down, its process was stopped or has crashed, or does not answer. */
    private static final List<String> CANNOT_BE_USED = List.of(
            "is down or inaccessible",
            "process is stopped by supervisor",
            "has crashed and failed to restart",
            "failed to perform operation on");

    /** The end of a text of RabbitMQ that was too long: a long name of a queue may leave no room for the words that count. */
    private static final String CUT = "...";

    /** In the text of a rejection since the plugin that knows the rights could not be asked, such as an LDAP server that is down; the code is that of a right that is missing. */
    private static final String OF_BACKEND = " returned an error";

    /** How the texts of RabbitMQ begin with which it rejects something for a right: the names of 403 and 530. */
    private static final List<String> REJECTIONS_FOR_RIGHTS = List.of("ACCESS_REFUSED - ", "NOT_ALLOWED - ");

    private static final Pattern WHITE_SPACE = Pattern.compile("\\s+");

    private RabbitErrors() {}

    /** The signal with which a channel or the connection was closed; null if the failure is another one. */
    static @Nullable ShutdownSignalException signalOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ShutdownSignalException signal) {
                return signal;
            }
        }
        return null;
    }

    /** The broker's reply code, such as 404; 0 if there is none. */
    public static int codeOf(Throwable failure) {
        ShutdownSignalException signal = signalOf(failure);
        Method reason = signal == null ? null : signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return close.getReplyCode();
        }
        return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
    }

    /** Whether the connection was closed, and not only a channel. */
    public static boolean isConnectionClosed(Throwable failure) {
        ShutdownSignalException signal = signalOf(failure);
        return signal != null && signal.isHardError();
    }

    /** The broker's reply text, or else that of the exception, or of its cause if it has none; on one line. */
    public static String textOf(Throwable failure) {
        ShutdownSignalException signal = signalOf(failure);
        Method reason = signal == null ? null : signal.getReason();
        if (reason instanceof AMQP.Channel.Close close) {
            return onOneLine(close.getReplyText());
        }
        if (reason instanceof AMQP.Connection.Close close) {
            return onOneLine(close.getReplyText());
        }
        Throwable named = failure;
        while (named.getMessage() == null && named.getCause() != null) {
            named = named.getCause();
        }
        return onOneLine(String.valueOf(named));
    }

    /** What RabbitMQ passes on from the server that it asks for rights has line breaks, as a rule. */
    private static String onOneLine(String text) {
        return WHITE_SPACE.matcher(text).replaceAll(" ").strip();
    }

    /** Why the broker rejected the message for which it closed the channel; PASSING if it was not a message. */
    public static FailureKind kindOfRejection(ShutdownSignalException signal) {
        if (!(signal.getReason() instanceof AMQP.Channel.Close close)
                || close.getClassId() != BASIC_CLASS
                || close.getMethodId() != PUBLISH_METHOD) {
            return FailureKind.PASSING;
        }
        return switch (close.getReplyCode()) {
            case AMQP.ACCESS_REFUSED ->
                mayBeOfBackend(close.getReplyText()) ? FailureKind.PASSING : FailureKind.TOPIC_UNAVAILABLE;
            case AMQP.NOT_FOUND ->
                close.getReplyText().startsWith(NO_EXCHANGE) ? FailureKind.TOPIC_UNAVAILABLE : FailureKind.PASSING;
            case AMQP.PRECONDITION_FAILED ->
                close.getReplyText().contains("size") ? FailureKind.TOO_LARGE : FailureKind.INVALID;
            default -> FailureKind.PASSING;
        };
    }

    /** Whether something was rejected since the broker could not look up a right. */
    public static boolean isOfBackend(int code, String text) {
        return (code == AMQP.ACCESS_REFUSED || code == AMQP.NOT_ALLOWED) && text.contains(OF_BACKEND);
    }

    /** The broker's text, or else that of the exception; with what it may mean if it is one that was cut for a right. */
    public static String explained(Throwable failure) {
        String text = textOf(failure);
        return codeOf(failure) == AMQP.ACCESS_REFUSED && text.endsWith(CUT) && !text.contains(OF_BACKEND)
                ? "the text is cut, the right may be missing: grant it; if it is there, the broker could not look it up, see its log: "
                        + text
                : text;
    }

    /** Whether a right may be there that the broker could not look up. A text that was cut does not show it. */
    public static boolean mayBeOfBackend(String text) {
        return text.contains(OF_BACKEND) || text.endsWith(CUT);
    }

    /** The same for a text of which the code is not known, such as one that names a key, too: a text of another rejection may have been cut as well. */
    public static boolean mayBeRejectionOfBackend(String text) {
        return REJECTIONS_FOR_RIGHTS.stream().anyMatch(text::contains) && mayBeOfBackend(text);
    }

    /**
     * Why none of the nodes could be connected to. Nodes that do not answer do not count if others reject the login: what follows for the instance would depend on whether all nodes are up. They may admit it
     * when they are back, so it may pass.
     *
     * @param failures one or more
     */
    public static SendException ofAllNodes(List<SendException> failures) {
        SendException first = failures.get(0);
        if (failures.size() == 1) {
            return first;
        }
        String text = failures.stream()
                .map(failure -> String.valueOf(failure.getMessage()))
                .collect(Collectors.joining("; "));
        SendException all = ofAllNodes(failures, text);
        failures.stream().skip(1).forEach(all::addSuppressed);
        return all;
    }

    private static SendException ofAllNodes(List<SendException> failures, String text) {
        SendException first = failures.get(0);
        boolean isAnyRejected = failures.stream().anyMatch(failure -> failure.kind() != FailureKind.PASSING);
        boolean hasAnyAnsweredOtherwise =
                failures.stream().anyMatch(failure -> failure.kind() == FailureKind.PASSING && codeOf(failure) != 0);
        if (!isAnyRejected || hasAnyAnsweredOtherwise) {
            return new SendException(FailureKind.PASSING, text, first);
        }
        boolean isByAll = failures.stream().allMatch(failure -> failure.kind() != FailureKind.PASSING);
        return isByAll && failures.stream().noneMatch(RabbitErrors::mayPass)
                ? notAdmitted(text, first)
                : notAdmittedYet(text, first);
    }

    /**
     * Whether the broker's words for 404 are that a queue or an exchange does not exist. RabbitMQ has the same code, and other words, for one that exists and cannot be
     * used, as when the node of a queue is down. Other brokers of the protocol have words of their own. A proxy may state another product and pass on RabbitMQ's words.
     */
    public static boolean isMissing(String text, boolean isRabbitMq) {
        return text.startsWith(DOES_NOT_EXIST)
                || !isRabbitMq && !text.endsWith(CUT) && CANNOT_BE_USED.stream().noneMatch(text::contains);
    }

    /** Whether no connection came about, since nothing accepts one: the node is down, or the address leads to none. */
    public static boolean isUnreachable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException
                    || cause instanceof NoRouteToHostException
                    || cause instanceof UnknownHostException
                    || cause instanceof SocketTimeoutException && CONNECT_TIMED_OUT.equals(cause.getMessage())) {
                return true;
            }
        }
        return false;
    }

    /** Whether one side does not accept what the other one does in TLS, and not only the connection was lost meanwhile. */
    public static boolean isRefusedByTls(Throwable failure) {
        boolean isTls = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EOFException
                    || cause instanceof SocketException
                    || cause instanceof SocketTimeoutException) {
                return false;
            }
            isTls |= cause instanceof SSLException;
        }
        return isTls;
    }

    /** Also if the broker does not state what it is. */
    public static boolean isRabbitMq(Connection connection) {
        Object product = connection.getServerProperties().get("product");
        return product == null || product.toString().toLowerCase(Locale.ROOT).contains("rabbitmq");
    }

    /** Whether something was rejected since there are as many of it as a node, a cluster, a virtual host or a user may have. */
    public static boolean isLimit(int code, String text) {
        return switch (code) {
            case AMQP.NOT_ALLOWED -> LIMITS_OF_CONNECTIONS.stream().anyMatch(text::contains);
            case AMQP.PRECONDITION_FAILED -> LIMITS_OF_DECLARATIONS.stream().anyMatch(text::contains);
            default -> false;
        };
    }

    /**
     * Classifies what went wrong while a connection was made. If the broker does not let us in, the cause is a {@link NotAdmittedException} with the same
     * message.
     */
    public static SendException connecting(Exception failure, Address address) {
        if (failure instanceof AuthenticationFailureException) {
            return notAdmittedYet(
                    "rabbitmq.username, rabbitmq.password: RabbitMQ at %s rejected the login of user %s, correct them, or start what RabbitMQ asks for logins, if that is down: %s"
                            .formatted(address.hostAndPort(), address.username(), failure.getMessage()),
                    failure);
        }
        if (isLimit(codeOf(failure), textOf(failure))) {
            return new SendException(
                    FailureKind.PASSING,
                    "RabbitMQ at %s has reached a limit, raise it, or wait until earlier connections are closed: %s"
                            .formatted(address.hostAndPort(), textOf(failure)),
                    failure);
        }
        if (codeOf(failure) == AMQP.NOT_ALLOWED && !isOfBackend(codeOf(failure), textOf(failure))) {
            return notAdmitted(
                    "rabbitmq.virtual.host: RabbitMQ at %s does not let user %s into %s: %s"
                            .formatted(
                                    address.hostAndPort(), address.username(), address.virtualHost(), textOf(failure)),
                    failure);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException || cause instanceof CertPathValidatorException) {
                return notAdmittedYet( // either may be renewed, and a list of revoked ones may be out of reach
                        "rabbitmq.tls.truststore: the certificate of RabbitMQ at %s is not trusted: %s"
                                .formatted(address.hostAndPort(), cause.getMessage()),
                        failure);
            }
        }
        return new SendException(
                FailureKind.PASSING,
                "no connection to RabbitMQ at %s: %s".formatted(address.hostAndPort(), explained(failure)),
                failure);
    }

    private static boolean mayPass(SendException failure) {
        return failure.getCause() instanceof NotAdmittedException refused && refused.mayPass();
    }

    /** Such as of a login: RabbitMQ has the same words for a password that is wrong and for an LDAP or HTTP server of accounts that is down. */
    private static SendException notAdmittedYet(String message, Throwable cause) {
        return new SendException(FailureKind.BROKEN, message, NotAdmittedException.thatMayPass(message, cause));
    }

    private static SendException notAdmitted(String message, Throwable cause) {
        return new SendException(FailureKind.BROKEN, message, new NotAdmittedException(message, cause));
    }
}
