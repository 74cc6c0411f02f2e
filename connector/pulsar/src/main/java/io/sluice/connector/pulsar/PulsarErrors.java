package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClientException;

/** Classifies failures: those that pass by themselves, and those that need an operator. */
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

    private static final String MISSING = "does not exist";

    /** What a broker, or an authorization plugin, answers if a role may not do something, or its tenant or namespace does not exist. */
    private static final Pattern DENIALS = words(
            "not authorized",
            "unauthorized",
            "access ?denied(exception)?",
            "permission[ _]denied",
            "forbidden",
            "not (allowed|permitted)",
            "may not (produce|publish|write)",
            "(have|has|no|lacks?|missing|insufficient)( the)?( required)? permissions?",
            MISSING);

    /** What a broker answers if a proxy, or a client of one, has a role that does not fit. */
    private static final Pattern PROXY = words("invalid roles", "proxyrole", "valid proxy client role");

    /** What no denial has in it: what a role may do cannot be found out now, whatever else the text has. */
    private static final Pattern UNCHECKED = words(
            "trying to authorize",
            "failed to get permissions",
            "metadatastore\\w*",
            "keeper(exception|errorcode)",
            "timed out|time-?out|\\w*timeoutexception",
            "connect(ion|exception)?:? (was |is )?(refused|reset|closed|lost)",
            "http 5\\d\\d",
            "unavailable|deadline_exceeded");

    private PulsarErrors() {}

    /**
     * Finds one of some phrases as words of their own, or as the name of a class. A part of a name does not count: answers also have the names of roles, topics, paths and hosts in
     * them, which may be {@code sys_permission} or {@code /admin/policies/forbidden}.
     */
    private static Pattern words(String... phrases) {
        return Pattern.compile(
                "(?<![\\w/.:-])(?:[a-z0-9]+\\.)*(?:" + String.join("|", phrases) + ")(?![\\w/-]|[.:]\\w)");
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
                return new NotAdmittedException(
                        "authentication failed, check pulsarmq.roleToken: " + failure.getMessage(), failure);
            }
            String remedy = remedyOf(cause);
            if (!remedy.isEmpty()) {
                return explained(remedy, failure);
            }
        }
        return failure;
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
        String text = textOf(failure);
        if (isMissingNamespace(failure) || (isDenial(failure) && text.contains(MISSING))) {
            return "the tenant or namespace of the topic does not exist, create it, or correct pulsarmq.topicTenantPrefix";
        }
        if (!isDenial(failure)) {
            return "the broker could not check the rights of the role of pulsarmq.roleToken, check the brokers' metadata store and"
                    + " authorization plugin, and that the tenant of pulsarmq.topicTenantPrefix exists";
        }
        if (PROXY.matcher(text).find()) {
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

    /**
     * Whether the text names a denial: the same type of failure has the bare text of whatever kept the broker, or a plugin of it, from checking the
     * rights, such as a time-out.
     */
    private static boolean isDenial(Throwable failure) {
        String text = textOf(failure);
        return failure instanceof PulsarClientException.AuthorizationException
                && !UNCHECKED.matcher(text).find()
                && (DENIALS.matcher(text).find() || PROXY.matcher(text).find());
    }

    /**
     * Whether the broker could not check what the role may do. That passes by itself if its metadata cannot be read; older brokers answer the same if
     * there is no such tenant.
     */
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
        return failure instanceof PulsarClientException
                && (textOf(failure).contains("namespace not found")
                        || textOf(failure).contains("policies not found"));
    }

    private static String textOf(Throwable failure) {
        return String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
    }

    private static boolean isAny(List<Class<? extends Exception>> types, Throwable failure) {
        return types.stream().anyMatch(type -> type.isInstance(failure));
    }
}
