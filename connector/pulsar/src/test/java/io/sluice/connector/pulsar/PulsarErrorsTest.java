package io.sluice.connector.pulsar;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.attempt.SendFailure;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import java.util.function.Function;
import org.apache.pulsar.client.api.ProducerAccessMode;
import org.apache.pulsar.client.api.PulsarClientException;
import org.apache.pulsar.client.api.PulsarClientException.AuthorizationException;
import org.apache.pulsar.client.api.PulsarClientException.ProducerBusyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PulsarErrorsTest {
    private static SendFailure classified(String text, Function<String, PulsarClientException> type) {
        String answer = "{\"errorMsg\":\"%s\",\"reqId\":1, \"remote\":\"a/10.0.0.1:6650\"}".formatted(text);
        return PulsarErrors.classify(type.apply(answer), ProducerAccessMode.Shared);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Exception occurred while trying to authorize get Partition Metadata",
                "Exception occurred while trying to authorize lookup",
                "Failed to get permissions for namespace public/default",
                "org.apache.pulsar.metadata.api.MetadataStoreException: KeeperErrorCode = ConnectionLoss",
                "KeeperErrorCode = ConnectionLoss for /admin/policies/t",
                "KeeperErrorCode = ConnectionLoss for /admin/policies/permissions",
                "HTTP 500 Internal Server Error",
                "java.util.concurrent.TimeoutException",
                "Connection refused: authz/10.0.0.9:8181",
                "Read timed out",
                "Authorization failed sluice on topic persistent://public/default/shop_sys_permission with error HTTP 500 Internal"
                        + " Server Error",
                "Authorization failed permission-svc on topic persistent://public/default/t with error HTTP 404 Not Found",
                "Authorization failed sluice on topic persistent://public/default/shop.forbidden with error null",
                "Authorization failed sluice on topic persistent://forbidden/unauthorized/t with error null",
                "Authorization failed not-allowed on topic persistent://public/default/unauthorized with error null",
                "cannot fetch the permissions of role sluice: Read timed out",
                "Failed to check permission: Connection refused",
                "Failed to check whether role sluice is not authorized: java.net.http.HttpTimeoutException: request timed out",
                "Failed to check access: forbidden.example.com: Name or service not known",
                "Failed to check access: no route to host forbidden:8181",
                "HTTP 503 Service Unavailable",
                "UNAVAILABLE: io exception",
                "Failed to fetch the policy, access denied until it is there: HTTP 502 Bad Gateway",
                "HTTP 401 Unauthorized",
                "HTTP 403 Forbidden",
                "HTTP 405 Method Not Allowed",
                "Authorization failed sluice on topic persistent://p/d/t with error HTTP 401 Unauthorized",
                "Authorization failed shop.forbidden on topic persistent://p/d/t with error Read failed",
                "java.net.SocketException: Operation not permitted (sendto failed)",
                "java.net.ConnectException: Permission denied",
                "java.nio.file.AccessDeniedException: /etc/authz/token",
                "Access denied for user 'authz'@'h' (using password: YES)",
                "relation grants does not exist",
                "key does not exist in the JWKS",
                "pod of the plugin: Namespace not found",
                "the plugin's service answers: Client is not authorized to Produce",
                "Client is not authorized to Produce: HTTP 503 Service Unavailable",
                "topic t: Invalid roles."
            })
    void rightsThatTheBrokerCannotReadMayBeReadableLater(String text) {
        SendFailure failure = classified(text, AuthorizationException::new);

        assertThat(failure.kind()).isEqualTo(FailureKind.PASSING);
        assertThat(failure.cause()).hasMessageContainingAll("metadata store", "tenant", text);
        assertThat(PulsarErrors.isUnchecked(failure.cause())).isTrue();
    }

    /** Such words are also those of what keeps the broker from checking the rights, and rows are not to be lost for that. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Access denied for sluice",
                "403 Forbidden",
                "Forbidden:no rule",
                "Role sluice may not produce",
                "Role sluice is not permitted to write to persistent://public/default/t",
                "role sluice does not have produce permission",
                "role needs permission PRODUCE",
                "PERMISSION_DENIED: no rule matches",
                "role svc.timeout is not authorized to produce"
            })
    void aDenialInTheWordsOfAPluginIsNotKnownAsOne(String text) {
        SendFailure failure = classified(text, AuthorizationException::new);

        assertThat(failure.kind()).isEqualTo(FailureKind.PASSING);
        assertThat(failure.cause()).hasMessageContainingAll("permission to produce", "authorization plugin", text);
        assertThat(PulsarErrors.isUnchecked(failure.cause())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Client is not authorized to Get Partition Metadata",
                "Client is not authorized to Lookup",
                "Client is not authorized to Produce",
                "Proxy Client is not authorized to Get Partition Metadata",
                "Don't have permission to administrate resources on this tenant",
                "Authorization failed sluice on topic persistent://public/default/api_timeout with error Don't have permission to"
                        + " administrate resources on this tenant",
                "Authorization failed shop.forbidden on topic persistent://public/default/t with error java.util.concurrent.CompletionException:"
                        + " org.apache.pulsar.broker.web.RestException: Don't have permission to administrate resources on this tenant",
                "Don't have permission to connect to this namespace",
                "Unauthorized to validateTopicOperation for originalPrincipal [null] and clientAppId [svc.timeout] about operation [PRODUCE]"
                        + " on topic [persistent://public/default/t]",
                "Unauthorized to validateTopicOperation for operation [PRODUCE] on topic [persistent://public/default/t]",
                "This operation requires super-user access"
            })
    void aMissingRightMayAlsoBeAMissingNamespace(String text) {
        SendFailure failure = classified(text, AuthorizationException::new);

        assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(failure.cause())
                .hasMessageContainingAll("permission to produce", "pulsarmq.topicTenantPrefix", "namespace");
        assertThat(PulsarErrors.isUnchecked(failure.cause())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Tenant does not exist",
                "Authorization failed sluice on topic persistent://public/default/shop_permission with error Tenant does not exist",
                "Namespace does not exist",
                "Namespace not found",
                "Namespace public/default not found",
                "Policies not found for public/default namespace"
            })
    void noRightIsMissingIfThereIsNoSuchTenant(String text) {
        SendFailure failure = classified(text, AuthorizationException::new);

        assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(failure.cause())
                .hasMessageContaining("correct pulsarmq.topicTenantPrefix")
                .message()
                .doesNotContain("grant");
        assertThat(PulsarErrors.isUnchecked(failure.cause())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Invalid roles.",
                "Must not set proxyVersion without connecting as a ProxyRole.",
                "Valid Proxy Client role should be provided while connecting through proxy",
                "Proxy not authorized to access resource (proxy:p,original:sluice)"
            })
    void aProxyThatIsMisconfiguredDoesNotPass(String text) {
        SendFailure failure = classified(text, AuthorizationException::new);

        assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(failure.cause()).hasMessageContaining("proxyRoles");
        assertThat(PulsarErrors.isUnchecked(failure.cause())).isFalse();
    }

    /** So the client does it if a producer cannot be created. */
    @Test
    void theAnswerIsFoundInATextThatTheClientAddsTo() {
        SendFailure failure = PulsarErrors.classify(
                new AuthorizationException(
                        "Failed to create producer sluice on topic persistent://public/default/t\n"
                                + "{\"errorMsg\":\"Client is not authorized to Produce\",\"reqId\":7, \"remote\":\"a/10.0.0.1:6650\"}"),
                ProducerAccessMode.Shared);

        assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @Test
    void theAnswerIsFoundInATextThatAProxyAndTheClientAddTo() {
        String answer =
                "{\"errorMsg\":\"Client is not authorized to Get Partition Metadata\",\"reqId\":5, \"remote\":\"b:6650\"}";
        SendFailure failure = PulsarErrors.classify(
                new AuthorizationException("{\"errorMsg\":\"" + answer
                        + "\",\"reqId\":7, \"remote\":\"proxy:6650\", \"local\":\"a:40000\"}"),
                ProducerAccessMode.Shared);

        assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
    }

    @Test
    void aBrokerThatTakesNoProducerNamesTheLimitThatItHasReached() {
        assertThat(busy("Topic 'persistent://public/default/t' reached max producers limit"))
                .contains("maxProducersPerTopic");
        assertThat(busy("Topic 'persistent://public/default/t' reached max same address producers limit"))
                .contains("maxSameAddressProducersPerTopic")
                .doesNotContain("maxProducersPerTopic");
        assertThat(busy("Namespace service is not ready")).doesNotContain("raise");
        assertThat(busy("Producer with name 'a' is already connected to topic")).doesNotContain("raise");
    }

    private static String busy(String text) {
        SendFailure failure = classified(text, ProducerBusyException::new);
        assertThat(failure.kind()).isEqualTo(FailureKind.PASSING);
        return String.valueOf(failure.cause().getMessage());
    }

    @Test
    void aTopicThatIsTerminatedNamesWhatToDo() {
        SendFailure failure =
                classified("Topic was already terminated", PulsarClientException.TopicTerminatedException::new);

        assertThat(failure.kind()).isEqualTo(FailureKind.TOPIC_UNAVAILABLE);
        assertThat(failure.cause()).hasMessageContaining("takes no more messages");
    }

    /** A broker that cannot check a token has the same answer, and so has a proxy whose own token has expired. */
    @Test
    void aLoginThatIsRejectedMayPass() {
        assertThat(mayPass(new PulsarClientException.AuthenticationException("Failed to authenticate")))
                .isTrue();
        assertThat(mayPass(new PulsarClientException.GettingAuthenticationDataException("the file is gone")))
                .isTrue();
        assertThat(mayPass(new PulsarClientException.UnsupportedAuthenticationException("no such method")))
                .isFalse();
    }

    private static boolean mayPass(PulsarClientException rejection) {
        SendFailure failure = PulsarErrors.classify(rejection, ProducerAccessMode.Shared);
        assertThat(failure.kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(failure.cause()).isInstanceOf(NotAdmittedException.class).hasMessageContaining("pulsarmq.roleToken");
        return failure.cause() instanceof NotAdmittedException refused && refused.mayPass();
    }
}
