package io.sluice.connector.pulsar;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.List;
import java.util.Locale;
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

    /** What a broker says when a role may not do something, or its tenant or namespace does not exist. */
    private static final List<String> DENIALS = List.of("not authorized", "permission", "does not exist");

    /** What a broker answers if a proxy, or a client of one, has a role that does not fit. */
    private static final List<String> PROXY = List.of("invalid roles", "proxyrole", "proxy client role");

    /** What no denial has in it: the broker cannot read what a role may do, whatever else the text names. */
    private static final List<String> UNCHECKED = List.of(
            "trying to authorize", "failed to get permissions", "metadatastore", "keeperexception", "keepererrorcode");

    private PulsarErrors() {}

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
        if (isMissingNamespace(failure) || (isDenial(failure) && text.contains("does not exist"))) {
            return "the tenant or namespace of the topic does not exist, create it, or correct pulsarmq.topicTenantPrefix";
        }
        if (!isDenial(failure)) {
            return "the broker could not check the rights of the role of pulsarmq.roleToken, check the brokers' metadata store, and that the"
                    + " tenant of pulsarmq.topicTenantPrefix exists";
        }
        if (isAnyIn(PROXY, text)) {
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
                && !isAnyIn(UNCHECKED, text)
                && (isAnyIn(DENIALS, text) || isAnyIn(PROXY, text));
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

    private static boolean isAnyIn(List<String> texts, String text) {
        return texts.stream().anyMatch(text::contains);
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
