package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.List;
import java.util.Locale;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingTooMuchRequestException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;

/** Classifies failures: those that pass by themselves, and those that need an operator. */
final class RocketMqErrors {
    /** The texts with which brokers of all versions report a failed authentication, in lower case. */
    private static final List<String> AUTHENTICATION =
            List.of("authenticat", "accesskey", "access key", "signature", "credential", "username", "is not found");

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
        return remark.contains("AclException") ? kindOfNoPermission(remark) : FailureKind.PASSING;
    }

    /** A broker has no write permission while its operator takes it out of the cluster. */
    private static FailureKind kindOfNoPermission(String remark) {
        if (isAuthentication(remark)) {
            return FailureKind.BROKEN;
        }
        return remark.contains("the broker[") ? FailureKind.PASSING : FailureKind.TOPIC_UNAVAILABLE;
    }

    /** Whether the broker's text means that the credentials are wrong. */
    static boolean isAuthentication(String remark) {
        String words = remark.toLowerCase(Locale.ROOT);
        return AUTHENTICATION.stream().anyMatch(words::contains);
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
