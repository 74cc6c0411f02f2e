package io.sluice.connector.rabbitmq.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.rabbitmq.settings.Address;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RabbitErrorsTest {
    /** As it passes on from an HTTP server of rights. */
    @Test
    void theBrokersTextIsOnOneLine() {
        String text = "ACCESS_REFUSED - access to vhost '/' refused:\n  {failed_connect,\r\n\t[{inet,econnrefused}]}\n";
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(AMQP.ACCESS_REFUSED)
                .replyText(text)
                .build();

        assertThat(RabbitErrors.textOf(new IOException(new ShutdownSignalException(false, false, close, null))))
                .isEqualTo("ACCESS_REFUSED - access to vhost '/' refused: {failed_connect, [{inet,econnrefused}]}");
    }

    @Test
    void anExceptionWithoutAMessageIsNamedByItsCause() {
        IOException lost = new IOException(null, new SocketException("Connection reset"));

        assertThat(RabbitErrors.textOf(lost)).isEqualTo("java.net.SocketException: Connection reset");
        assertThat(RabbitErrors.textOf(new IOException(null, new EOFException())))
                .isEqualTo("java.io.EOFException");
    }

    @Test
    void aTextThatWasCutMayBeOfARightOnlyIfItIsOfARejectionForOne() {
        String down = "NOT_FOUND - queue 'orders' in vhost '/' home node 'rabbit@a-node-with-a-long-name...";

        assertThat(RabbitErrors.mayBeRejectionOfBackend(down)).isFalse();
        assertThat(RabbitErrors.mayBeRejectionOfBackend("rabbitmq.queue=orders: " + down))
                .isFalse();
        assertThat(RabbitErrors.mayBeRejectionOfBackend(
                        "rabbitmq.queue=orders: ACCESS_REFUSED - configure access to queue 'orders' in vhost..."))
                .isTrue();
        assertThat(RabbitErrors.mayBeRejectionOfBackend(
                        "NOT_ALLOWED - access to vhost '/' refused for user 'sluice': backend returned an error: down"))
                .isTrue();
        assertThat(RabbitErrors.mayBeRejectionOfBackend("ACCESS_REFUSED - access to queue 'orders' refused"))
                .isFalse();
    }

    private static final Address FIRST = Address.parse("a", false).get(0);
    private static final Address SECOND = Address.parse("b", false).get(0);

    private static Exception login() {
        return new AuthenticationFailureException("ACCESS_REFUSED - Login was refused");
    }

    private static Exception noVirtualHost() {
        return closed(AMQP.NOT_ALLOWED, "NOT_ALLOWED - vhost shop not found");
    }

    private static Exception limit() {
        return closed(AMQP.NOT_ALLOWED, "NOT_ALLOWED - access to vhost '/' refused: connection limit (1) is reached");
    }

    private static Exception down() {
        return new ConnectException("Connection refused");
    }

    private static Exception silent() {
        return new SocketTimeoutException("Read timed out");
    }

    private static Exception closed(int code, String text) {
        AMQP.Connection.Close close = new AMQP.Connection.Close.Builder()
                .replyCode(code)
                .replyText(text)
                .build();
        return new IOException(new ShutdownSignalException(true, false, close, null));
    }

    private static SendException ofBoth(Exception first, Exception second) {
        return RabbitErrors.ofAllNodes(
                List.of(RabbitErrors.connecting(first, FIRST), RabbitErrors.connecting(second, SECOND)));
    }

    static Stream<Arguments> failuresOfTwoNodes() {
        return Stream.of(
                Arguments.of(login(), login(), true),
                Arguments.of(login(), noVirtualHost(), true),
                Arguments.of(noVirtualHost(), noVirtualHost(), false),
                Arguments.of(login(), down(), true),
                Arguments.of(down(), login(), true),
                Arguments.of(silent(), login(), true),
                Arguments.of(down(), noVirtualHost(), true));
    }

    /** Else a wrong password would be tried without end, and not be named, as long as a node is down. */
    @ParameterizedTest
    @MethodSource("failuresOfTwoNodes")
    void nodesThatDoNotAnswerDoNotCountIfOthersRejectTheLogin(Exception first, Exception second, boolean mayPass) {
        SendException failure = ofBoth(first, second);

        assertThat(failure.kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(failure).hasMessageContainingAll(" at a:5672", " at b:5672");
        assertThat(failure.getCause())
                .isInstanceOfSatisfying(
                        NotAdmittedException.class,
                        refused -> assertThat(refused.mayPass()).isEqualTo(mayPass));
    }

    @Test
    void aNodeThatHasAcceptedTheLoginCounts() {
        assertThat(ofBoth(login(), limit()).kind()).isEqualTo(FailureKind.PASSING);
        assertThat(ofBoth(limit(), login()).kind()).isEqualTo(FailureKind.PASSING);
        assertThat(ofBoth(down(), silent()).kind()).isEqualTo(FailureKind.PASSING);
    }

    /** It is renewed by a program, as a rule, and read again with each connection. */
    @Test
    void aCertificateThatIsNotTrustedMayPass() {
        IOException expired = new IOException("handshake", new CertificateExpiredException("NotAfter: yesterday"));

        SendException failure = RabbitErrors.connecting(expired, FIRST);

        assertThat(failure).hasMessageContaining("rabbitmq.tls.truststore");
        assertThat(failure.getCause())
                .isInstanceOfSatisfying(
                        NotAdmittedException.class,
                        refused -> assertThat(refused.mayPass()).isTrue());
    }
}
