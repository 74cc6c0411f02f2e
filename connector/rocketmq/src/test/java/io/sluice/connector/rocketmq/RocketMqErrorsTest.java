package io.sluice.connector.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.producer.FailureKind;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The texts are those of brokers 4.4 to 5.5. */
class RocketMqErrorsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "User:app has no permission to access Topic:orders from 192.0.2.7, no matched policies.",
                "User:app has no permission to access Topic:orders from 192.0.2.7, the decision is deny.",
                "User:app has no permission to access Topic:shop_user_credential from 192.0.2.7, no matched policies.",
                "User:app has no permission to access Topic:username_log from 192.0.2.7, no matched policies.",
                "User:the accessKey has no permission to access Group:e_signature from 192.0.2.7, no matched policies.",
                "the topic[authenticate] sending message is forbidden",
                "Sending message to topic[TBW102_signature] is forbidden."
            })
    void aTopicThatTheUserMayNotWriteToIsUnavailable(String text) {
        assertThat(kindOf(ResponseCode.NO_PERMISSION, text)).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "No default permission for topic:orders",
                "No default permission for topic:e_signature",
                "No default permission for topic:accesskey_username",
                "No default permission for group:credential",
                "No permission for topic:authenticated"
            })
    void aTopicThatAnOlderBrokerKeepsTheUserFromIsUnavailable(String text) {
        assertThat(kindOf(ResponseCode.SYSTEM_ERROR, ofAcl(text))).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "User:ghost is not found.",
                "User:ghost not found.",
                "User:app is disabled.",
                "User:the topic[orders] is disabled.",
                "check signature failed.",
                "username cannot be null.",
                "Authentication failed. Please verify the credentials and try again.",
                "authentication header is incorrect.",
                "The authenticationMetadataProvider is not configured"
            })
    void aLoginThatIsRejectedIsOfNoTopic(String text) {
        assertThat(kindOf(ResponseCode.NO_PERMISSION, text)).isEqualTo(FailureKind.BROKEN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "No accessKey is configured",
                "No acl config for wrongkey",
                "No acl config for topic:orders",
                "No PlainAccessResource for accessKey=app",
                "Check signature failed for accessKey=app",
                "[10015:signature-failed] unable to calculate a request signature. error=Algorithm HmacSHA1 not available"
            })
    void aLoginThatAnOlderBrokerRejectsIsOfNoTopic(String text) {
        assertThat(kindOf(ResponseCode.SYSTEM_ERROR, ofAcl(text))).isEqualTo(FailureKind.BROKEN);
    }

    /** Such as a right that the broker could not look up. A message must not be skipped for it. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "the broker[192.0.2.8] sending message is forbidden",
                "the broker[192.0.2.8] sending transaction message is forbidden",
                "Authorization failed. Please verify your access rights and try again.",
                "The authorizationMetadataProvider is not configured",
                "parse authorization context error.",
                "The request of DefaultAuthorizationContext is not support.",
                "User:app has no permission to access Cluster:DefaultCluster from 192.0.2.7, no matched policies.",
                "what no broker has said yet: topic orders",
                ""
            })
    void anAnswerThatIsNeitherOfATopicNorOfALoginPasses(String text) {
        assertThat(kindOf(ResponseCode.NO_PERMISSION, text)).isEqualTo(FailureKind.PASSING);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Need admin permission for request code=17, but accessKey=app is not",
                "Netaddress examine scope Exception netaddress is 192.0.2.7",
                "null"
            })
    void anAnswerOfAnOlderBrokerThatIsNeitherPasses(String text) {
        assertThat(kindOf(ResponseCode.SYSTEM_ERROR, ofAcl(text))).isEqualTo(FailureKind.PASSING);
        assertThat(kindOf(ResponseCode.SYSTEM_ERROR, text)).isEqualTo(FailureKind.PASSING);
    }

    /** As an older broker reports what an ACL has thrown. */
    private static String ofAcl(String text) {
        return "org.apache.rocketmq.acl.common.AclException: " + text
                + ", org.apache.rocketmq.acl.plain.PlainPermissionManager.validate(PlainPermissionManager.java:687)";
    }

    /** The question for the end of a queue wraps the answer. */
    private static FailureKind kindOf(int code, String text) {
        Exception answer = new MQBrokerException(code, text, "192.0.2.8:10911");
        FailureKind kind = RocketMqErrors.kindOf(answer);
        assertThat(RocketMqErrors.kindOf(new MQClientException("the broker does not answer", answer)))
                .isEqualTo(kind);
        return kind;
    }
}
