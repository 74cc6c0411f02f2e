package io.sluice.connector.rabbitmq.node;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.settings.Address;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What the broker answered to a request, such as a passive declaration, which declares nothing.
 *
 * @param code its reply code; 0 if there is none
 * @param text its words, or why there are none; empty for a success
 */
public record BrokerAnswer(Kind kind, int code, String text) {
    /** What an answer proves. */
    public enum Kind {
        /** The request was carried out: the queue or the exchange exists. */
        DONE,
        /** The queue exists, and is another connection's alone. */
        LOCKED,
        /** There is no such queue or exchange. The only answer that proves it. */
        MISSING,
        /** The queue exists and cannot be used, as while its node is down. */
        UNUSABLE,
        /** A right is missing. RabbitMQ 4.2.6, 4.3.0 and later check it before they look for the queue or the exchange. */
        FORBIDDEN,
        /** There are as many connections, channels, queues or exchanges as may be. */
        LIMIT,
        /** The node shuts down, has closed the connection for an operator, or cannot ask the others, or what knows the rights, such as an LDAP server. */
        NOT_READY,
        /** Another rejection, such as of the login. */
        REJECTED,
        /** Nothing accepts a connection there. */
        UNREACHABLE,
        /** The broker says nothing, or the connection is lost before. */
        NONE,
        /** It was not asked, for a reason that is not the broker's. */
        NOT_ASKED
    }

    /** A request that the broker may reject. */
    public interface Question {
        void ask(Channel channel) throws IOException;
    }

    /** In the text of a rejection since a queue has another argument; durable, exclusive and the like are no arguments. */
    private static final String OTHER_ARGUMENT = "inequivalent arg 'x-";

    /** That of a broker that was not asked. */
    public static BrokerAnswer notAsked(String why) {
        return new BrokerAnswer(Kind.NOT_ASKED, 0, why);
    }

    /** Asks on a channel of its own, since the broker closes it when it rejects. Not for the thread that reads from the broker. */
    public static BrokerAnswer to(Connection connection, Question question) {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return new BrokerAnswer(
                        Kind.LIMIT,
                        0,
                        "the broker allows no more channels for a connection, and one besides those of the messages is needed: channel_max=%d"
                                .formatted(connection.getChannelMax()));
            }
            question.ask(channel);
            channel.abort();
            return new BrokerAnswer(Kind.DONE, AMQP.REPLY_SUCCESS, "");
        } catch (IOException | RuntimeException e) {
            return of(
                    RabbitErrors.codeOf(e),
                    RabbitErrors.textOf(e),
                    RabbitErrors.isConnectionClosed(e),
                    RabbitErrors.isRabbitMq(connection));
        }
    }

    /** Why a node that was to be asked could not be connected to. */
    public static BrokerAnswer ofConnecting(Exception failure, Address node) {
        BrokerAnswer answer = of(RabbitErrors.codeOf(failure), RabbitErrors.textOf(failure), true, true);
        SendException why = RabbitErrors.connecting(failure, node);
        if (why.getCause() instanceof NotAdmittedException) {
            return new BrokerAnswer(Kind.REJECTED, answer.code(), String.valueOf(why.getMessage()));
        }
        if (answer.kind() != Kind.NONE) {
            return answer;
        }
        if (RabbitErrors.isUnreachable(failure)) {
            return new BrokerAnswer(Kind.UNREACHABLE, 0, answer.text());
        }
        return RabbitErrors.isRefusedByTls(failure)
                ? new BrokerAnswer(Kind.REJECTED, 0, "rabbitmq.host, rabbitmq.tls.*: " + answer.text())
                : answer;
    }

    /**
     * Classifies a rejection.
     *
     * @param code 0 if there is no answer
     * @param closesConnection whether the connection is closed with it, and not only a channel
     * @param isRabbitMq whether the broker is RabbitMQ, as far as it states that
     */
    public static BrokerAnswer of(int code, String text, boolean closesConnection, boolean isRabbitMq) {
        return new BrokerAnswer(kindOf(code, text, closesConnection, isRabbitMq), code, text);
    }

    private static Kind kindOf(int code, String text, boolean closesConnection, boolean isRabbitMq) {
        if (RabbitErrors.isLimit(code, text)) {
            return Kind.LIMIT;
        }
        if (RabbitErrors.isOfBackend(code, text)) {
            return Kind.NOT_READY;
        }
        return switch (code) {
            case 0 -> Kind.NONE;
            case AMQP.CONNECTION_FORCED, AMQP.INTERNAL_ERROR -> Kind.NOT_READY;
            case AMQP.ACCESS_REFUSED -> closesConnection ? Kind.REJECTED : Kind.FORBIDDEN;
            case AMQP.RESOURCE_LOCKED -> closesConnection ? Kind.REJECTED : Kind.LOCKED;
            case AMQP.NOT_FOUND -> {
                if (closesConnection) {
                    yield Kind.REJECTED;
                }
                yield RabbitErrors.isMissing(text, isRabbitMq) ? Kind.MISSING : Kind.UNUSABLE;
            }
            default -> Kind.REJECTED;
        };
    }

    /**
     * Why it proves nothing, with the remedy.
     *
     * @param node that was asked; null if that is not known
     * @param declared on what a right is needed
     */
    public String cause(@Nullable Address node, String declared) {
        String name = node == null ? "the node" : node.hostAndPort();
        return switch (kind) {
            case FORBIDDEN ->
                "grant user %s configure on %s: %s".formatted(node == null ? "" : node.username(), declared, text);
            case LIMIT -> "%s has reached a limit, raise it: %s".formatted(name, text);
            case NOT_READY -> "%s is not ready: %s".formatted(name, text);
            case UNREACHABLE, NONE -> "%s does not answer: %s".formatted(name, text);
            case REJECTED -> "%s is up, but refuses, correct that: %s".formatted(name, text);
            case DONE, LOCKED, MISSING, UNUSABLE, NOT_ASKED -> text;
        };
    }

    /** Why the answer of a node proves nothing that is not connected to, with the remedy: it may be gone. */
    public String causeOfAnother(Address node, String declared) {
        return kind == Kind.UNREACHABLE
                ? "%s does not answer, start it, or remove it from rabbitmq.host if it has left the cluster for good: %s"
                        .formatted(node.hostAndPort(), text)
                : cause(node, declared);
    }

    /** Whether a declaration was rejected since the queue exists and has another argument, such as its type or its length. */
    public boolean isOtherArgument() {
        return code == AMQP.PRECONDITION_FAILED && text.contains(OTHER_ARGUMENT);
    }

    public boolean isDone() {
        return kind == Kind.DONE;
    }

    public boolean isMissing() {
        return kind == Kind.MISSING;
    }

    /** Whether the connection can be asked again: after a question without an answer a channel of the broker waits for it. */
    public boolean keepsConnection() {
        return switch (kind) {
            case DONE, LOCKED, MISSING, UNUSABLE, FORBIDDEN -> true;
            case LIMIT, NOT_READY, REJECTED, UNREACHABLE, NONE, NOT_ASKED -> false;
        };
    }
}
