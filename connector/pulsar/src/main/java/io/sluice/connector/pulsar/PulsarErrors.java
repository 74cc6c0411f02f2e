package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Classifies failures: those that pass by themselves, and those that need an operator.
 *
 * <p>The client has one type of failure for a right that is denied and for one that could not be checked: an authorization plugin, its service or the
 * metadata store fails, and the broker answers with the bare text. That may have any words in it, also "Operation not permitted" of a socket, or "HTTP 401
 * Unauthorized" since the token of the plugin has expired. So only whole answers that Pulsar's own brokers have for a denial are one, which costs rows with
 * {@code canal.mq.onTopicUnavailable=skip}. All others, also the denials that plugins word themselves, are rights that could not be checked ({@link UncheckedRights}).
 */
final class PulsarErrors {
    private static final List<Class<? extends Exception>> CREDENTIALS = List.of(
            PulsarClientException.AuthenticationException.class,
            PulsarClientException.GettingAuthenticationDataException.class,
            PulsarClientException.UnsupportedAuthenticationException.class);

    private static final List<Class<? extends Exception>> BROKEN = List.of(
            PulsarClientException.InvalidConfigurationException.class,
            PulsarClientException.InvalidServiceURL.class,
            PulsarClientException.NotSupportedException.class,
            PartitionHeldException.class);

    private static final List<Class<? extends Exception>> TOPIC_UNAVAILABLE = List.of(
            PulsarClientException.IncompatibleSchemaException.class,
            PulsarClientException.InvalidTopicNameException.class,
            PulsarClientException.NotAllowedException.class,
            PulsarClientException.NotFoundException.class,
            PulsarClientException.TopicDoesNotExistException.class,
            PulsarClientException.TopicTerminatedException.class);

    /** The broker's answer in what clients make of it: a proxy is one, too, and passes on what it has made of the answer. */
    private static final Pattern ANSWER = Pattern.compile("(?:.*\\{\"errormsg\":\")(.*?)\",\"reqid\":", Pattern.DOTALL);

    /** What a broker answers if a role may not do something. */
    private static final Pattern DENIAL = answers(
            "(proxy )?client is not authorized to [a-z ]+",
            "don't have permission to administrate resources on this (tenant|property)",
            "don't have permission to connect to this namespace",
            "unauthorized to validate\\w+ for .+",
            "this operation requires super-user access");

    /** What a broker answers if a proxy, or a client of one, has a role that does not fit. */
    private static final Pattern PROXY = answers(
            "invalid roles",
            "must not set proxyversion without connecting as a proxyrole",
            "valid proxy client role should be provided while .+",
            "proxy not authorized (to access resource|for super-user operation) .+",
            "original principal not authorized for super-user operation .+");

    /** What a broker answers if the tenant or namespace is not there. */
    private static final Pattern MISSING = answers(
            "(tenant|namespace) does not exist",
            "namespace (\\S+ )?not found",
            "policies not found for \\S+ namespace");

    private PulsarErrors() {}

    /** Matches a whole answer that is one of some texts, perhaps after the topic and the role that it is about. */
    private static Pattern answers(String... texts) {
        return Pattern.compile("(authorization failed .* on topic \\S+ with error )?([\\w.$]+exception: )*("
                + String.join("|", texts) + ")\\.?");
    }

    /**
     * What went wrong, explained, and what it means for the next attempt.
     *
     * @param mode of the producers
     */
    static SendFailure classify(Exception failure, ProducerAccessMode mode) {
        return new SendFailure(explained(failure), kindOf(failure, mode));
    }

    /** The failure with the topic or partition in its text, which many answers of brokers do not name. */
    static Exception at(String topic, Exception failure) {
        return textOf(failure).contains(topic.toLowerCase(Locale.ROOT)) ? failure : explained(topic, failure);
    }

    /** The failure, or one that adds to the client's text what to change. */
    private static Exception explained(Exception failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (isAny(CREDENTIALS, cause)) {
                return notAdmitted(cause, failure);
            }
            String remedy = remedyOf(cause);
            if (!remedy.isEmpty()) {
                return explained(remedy, failure);
            }
        }
        return failure;
    }

    /** A broker, or a proxy, has the same answer for a wrong token and if it cannot check one, since what it asks is down. */
    private static NotAdmittedException notAdmitted(Throwable cause, Exception failure) {
        return cause instanceof PulsarClientException.UnsupportedAuthenticationException
                ? new NotAdmittedException(
                        "authentication failed, check pulsarmq.roleToken: " + failure.getMessage(), failure)
                : NotAdmittedException.thatMayPass(
                        "authentication failed, check pulsarmq.roleToken, or start what the brokers or their proxies ask for logins, if that is down: "
                                + failure.getMessage(),
                        failure);
    }

    private static PulsarClientException explained(String text, Exception failure) {
        PulsarClientException explained = new PulsarClientException(text + ": " + failure.getMessage());
        explained.initCause(failure);
        return explained;
    }

    /** What the operator may do; empty if the client's text is enough. */
    private static String remedyOf(Throwable failure) {
        if (failure instanceof PulsarClientException.ProducerBlockedQuotaExceededException
                || failure instanceof PulsarClientException.ProducerBlockedQuotaExceededError) {
            return "the backlog quota of the topic is exceeded, let its subscriptions read, delete those that are not used, or raise"
                    + " the quota";
        }
        if (failure instanceof PulsarClientException.ProducerBusyException) {
            return remedyOfBusy(textOf(failure));
        }
        if (failure instanceof PulsarClientException.TopicTerminatedException) {
            return "the topic is terminated and takes no more messages, delete it and create it again, or route to another one";
        }
        return failure instanceof PulsarClientException.AuthorizationException ? remedyOfRights(failure) : "";
    }

    /** The client has the same type of exception for a name that is taken, and for a broker that is not ready. */
    private static String remedyOfBusy(String text) {
        if (text.contains("same address producers limit")) {
            return "the topic has as many producers of this host as it may have, raise maxSameAddressProducersPerTopic";
        }
        return text.contains("max producers limit")
                ? "the topic has as many producers as it may have, raise maxProducersPerTopic or the limit of the policies"
                : "";
    }

    private static String remedyOfRights(Throwable failure) {
        String text = answerOf(failure);
        if (isMissingNamespace(failure)) {
            return "the tenant or namespace of the topic does not exist, create it, or correct pulsarmq.topicTenantPrefix";
        }
        if (!isDenial(failure)) {
            return "the broker could not check the rights of the role of pulsarmq.roleToken, or an authorization plugin denies them in"
                    + " words of its own: check that the role has the permission to produce, that the brokers' metadata store and"
                    + " authorization plugin work, and that the tenant of pulsarmq.topicTenantPrefix exists";
        }
        if (PROXY.matcher(text).matches()) {
            return "the role of pulsarmq.roleToken cannot be used on this way to the broker, check proxyRoles of the brokers and the"
                    + " token of the proxy";
        }
        return "the topic may not be written to, grant the role of pulsarmq.roleToken the permission to produce, or correct"
                + " pulsarmq.topicTenantPrefix if there is no such namespace";
    }

    /** What a failure means for the next attempt. Unknown failures are passing: they are retried with a back-off. */
    static FailureKind kindOf(Throwable failure, ProducerAccessMode mode) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PulsarClientException.ProducerFencedException) {
                return kindOfFenced(mode);
            }
            if (isAny(CREDENTIALS, cause) || isAny(BROKEN, cause)) {
                return FailureKind.BROKEN;
            }
            if (isTooLarge(cause)) {
                return FailureKind.TOO_LARGE;
            }
            if (isAny(TOPIC_UNAVAILABLE, cause) || isDenial(cause) || isMissingNamespace(cause)) {
                return FailureKind.TOPIC_UNAVAILABLE;
            }
        }
        return FailureKind.PASSING;
    }

    /**
     * A producer of mode {@code ExclusiveWithFencing} has a successor, which is meant to replace it. With {@code Exclusive} the broker reports the
     * same while another producer is connected, or was since: it may be an earlier producer of this destination whose connection the broker still has. {@link ExclusivePartitions}
     * limits for how long that is assumed.
     */
    private static FailureKind kindOfFenced(ProducerAccessMode mode) {
        return mode == ProducerAccessMode.ExclusiveWithFencing ? FailureKind.BROKEN : FailureKind.PASSING;
    }

    /** Whether the broker has another producer of that name; it answers the same type of failure if it has too many producers. */
    static boolean isNameTaken(Throwable failure) {
        return failure instanceof PulsarClientException.ProducerBusyException
                && textOf(failure).contains("already connected");
    }

    private static boolean isDenial(Throwable failure) {
        String text = answerOf(failure);
        return failure instanceof PulsarClientException.AuthorizationException
                && (DENIAL.matcher(text).matches() || PROXY.matcher(text).matches());
    }

    /** Whether the role is not known to lack a right, nor its tenant or namespace to be missing, although the broker admits no producer. */
    static boolean isUnchecked(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof PulsarClientException.AuthorizationException
                    && !isDenial(cause)
                    && !isMissingNamespace(cause)) {
                return true;
            }
        }
        return false;
    }

    /** The client throws the first before it sends; the broker answers the other when a topic's policy allows less. */
    private static boolean isTooLarge(Throwable failure) {
        return failure instanceof PulsarClientException.InvalidMessageException
                || (failure instanceof PulsarClientException.NotAllowedException
                        && textOf(failure).contains("exceed maximum message size"));
    }

    /** The client has no exception type for it, only the broker's text. */
    private static boolean isMissingNamespace(Throwable failure) {
        if (failure instanceof PulsarClientException.AuthorizationException) {
            return MISSING.matcher(answerOf(failure)).matches();
        }
        return failure instanceof PulsarClientException
                && (textOf(failure).contains("namespace not found")
                        || textOf(failure).contains("policies not found"));
    }

    private static String answerOf(Throwable failure) {
        String text = textOf(failure);
        Matcher answer = ANSWER.matcher(text);
        return answer.find() ? answer.group(1) : text;
    }

    private static String textOf(Throwable failure) {
        return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    }

    private static boolean isAny(List<Class<? extends Exception>> types, Throwable failure) {
        return types.stream().anyMatch(type -> type.isInstance(failure));
    }
}
