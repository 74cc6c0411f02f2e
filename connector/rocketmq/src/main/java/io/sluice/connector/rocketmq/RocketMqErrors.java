package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.regex.Pattern;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Classifies failures: those that pass by themselves, and those that need an operator. */
final class RocketMqErrors {
    /** Before the text of an ACL of RocketMQ 4, and of 5 before 5.3. */
    private static final String ACL_EXCEPTION = "AclException: ";

    /** The texts with which brokers keep a user from a topic: its name is a part of them, and may be any word. A topic of retries is its group for them. */
    private static final Pattern TOPIC = Pattern.compile(
            "No (default )?permission for (topic|group):.*"
                    + "|User:.* has no permission to access (Topic|Group):\\S+ from .*"
                    + "|the topic\\[\\S+] sending message is forbidden.*"
                    + "|Sending message to topic\\[\\S+] is forbidden.*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** The texts with which brokers reject a login: the name of the user, which is the access key, is a part of some. */
    private static final Pattern LOGIN = Pattern.compile(
            "User:.* (is not found|not found|is disabled)\\.?"
                    + "|check signature failed.*"
                    + "|username cannot be null.*"
                    + "|authentication (failed|header|keyValues|credential)\\b.*"
                    + "|The authenticationMetadataProvider is not configured.*"
                    + "|No (accessKey is configured|acl config for |PlainAccessResource for ).*"
                    + "|\\[\\S+:signature-failed] .*",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private RocketMqErrors() {}

    /** What a failure means for the next attempt. Unknown failures are passing: they are retried with a back-off. */
    static FailureKind kindOf(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MQBrokerException answer) {
                return kindOf(answer.getResponseCode(), String.valueOf(answer.getErrorMessage()));
            }
            if (cause instanceof MQClientException own && own.getResponseCode() == ResponseCode.MESSAGE_ILLEGAL) {
                return FailureKind.INVALID;
            }
        }
        return FailureKind.PASSING;
    }

    private static FailureKind kindOf(int code, String remark) {
        return switch (code) {
            case ResponseCode.MESSAGE_ILLEGAL ->
                remark.contains("length") || remark.contains("size") ? FailureKind.TOO_LARGE : FailureKind.INVALID;
            case ResponseCode.TOPIC_NOT_EXIST -> FailureKind.TOPIC_UNAVAILABLE;
            case ResponseCode.NO_PERMISSION -> kindOfNoPermission(remark);
            case ResponseCode.SYSTEM_ERROR -> kindOfSystemError(remark);
            default -> FailureKind.PASSING;
        };
    }

    /** Some brokers have no code for some failures, only a text. */
    private static FailureKind kindOfSystemError(String remark) {
        if (remark.contains("size exceeded")) {
            return FailureKind.TOO_LARGE; // of a request of several messages
        }
        return remark.contains(ACL_EXCEPTION) ? kindOfNoPermission(remark) : FailureKind.PASSING;
    }

    /** A text that is neither of a topic nor of a login passes, such as that of a broker that is taken out of the cluster, or that could not look up a right: messages must not be skipped for it. */
    private static FailureKind kindOfNoPermission(String remark) {
        int begin = remark.indexOf(ACL_EXCEPTION);
        String text = begin < 0 ? remark : remark.substring(begin + ACL_EXCEPTION.length());
        if (TOPIC.matcher(text).matches()) {
            return FailureKind.TOPIC_UNAVAILABLE;
        }
        return LOGIN.matcher(text).matches() ? FailureKind.BROKEN : FailureKind.PASSING;
    }

    /** A broker has the same answer for a wrong key, for a user that it has not learned of yet, and if it cannot look one up. */
    static NotAdmittedException notAdmitted(Exception failure) {
        return NotAdmittedException.thatMayPass(
                "authentication failed, check %s and %s, or start what the brokers ask for users, if that is down: %s"
                        .formatted(
                                RocketMqSettingsReader.ACCESS_KEY,
                                RocketMqSettingsReader.SECRET_KEY,
                                failure.getMessage()),
                failure);
    }

    /** Whether a broker that answers knows no such topic. */
    static boolean isMissingTopic(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MQBrokerException answer) {
                return answer.getResponseCode() == ResponseCode.TOPIC_NOT_EXIST;
            }
        }
        return false;
    }

    /** Whether the broker may still carry out a request that failed like this: it did not answer, and may have it. */
    static boolean leavesDoubt(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MQBrokerException
                    || cause instanceof RemotingConnectException
                    || cause instanceof RemotingTooMuchRequestException) {
                return false;
            }
        }
        return true;
    }
}
