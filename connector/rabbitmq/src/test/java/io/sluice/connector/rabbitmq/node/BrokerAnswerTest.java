package io.sluice.connector.rabbitmq.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.rabbitmq.failure.RabbitErrors;
import io.sluice.connector.rabbitmq.node.BrokerAnswer.Kind;
import io.sluice.connector.rabbitmq.settings.Address;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** By the texts of RabbitMQ 3.10, 3.13 and 4.x, which differ in where a right is checked and in which limits there are. */
class BrokerAnswerTest {
    private static final Address NODE = new Address("rabbit-1", 5672, false, "shop", "s3cret", "sales");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "404 | NOT_FOUND - no queue 'orders' in vhost '/' | MISSING",
                "404 | NOT_FOUND - no exchange 'changes' in vhost '/' | MISSING",
                "404 | NOT_FOUND - home node 'rabbit@b' of durable queue 'orders' in vhost '/' is down or inaccessible | UNUSABLE",
                "404 | NOT_FOUND - queue 'orders' in vhost '/' process is stopped by supervisor | UNUSABLE",
                "404 | NOT_FOUND - queue 'orders' in vhost '/' has crashed and failed to restart | UNUSABLE",
                "404 | NOT_FOUND - failed to perform operation on queue 'orders' in vhost '/' due to timeout | UNUSABLE",
                "403 | ACCESS_REFUSED - access to queue 'orders' in vhost '/' refused for user 'shop' | FORBIDDEN",
                "403 | ACCESS_REFUSED - configure access to queue 'orders' in vhost '/' refused for user 'shop' | FORBIDDEN",
                "403 | ACCESS_REFUSED - configure access to queue 'orders' in vhost '/' refused for user 'shop', backend rabbit_auth_backend_ldap returned an error: ldap_connect_error | NOT_READY",
                "405 | RESOURCE_LOCKED - cannot obtain exclusive access to locked queue 'orders' in vhost '/' | LOCKED",
                "406 | PRECONDITION_FAILED - cannot declare queue 'orders': queue limit in vhost '/' (1) is reached | LIMIT",
                "406 | PRECONDITION_FAILED - cannot declare queue 'orders': queue limit in cluster (3) is reached | LIMIT",
                "406 | PRECONDITION_FAILED - cannot declare exchange 'changes' in vhost '/': exchange limit of 10 is reached | LIMIT",
                "406 | PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'orders' in vhost '/' | REJECTED",
                "541 | INTERNAL_ERROR | NOT_READY",
            })
    void aRejectionThatClosesTheChannelIsClassified(int code, String text, Kind kind) {
        assertThat(BrokerAnswer.of(code, text, false, true).kind()).isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "530 | NOT_ALLOWED - number of channels opened for user 'shop' has reached the maximum allowed user limit of (4) | LIMIT",
                "530 | NOT_ALLOWED - number of channels opened on node 'rabbit@a' has reached the maximum allowed limit of (15000) | LIMIT",
                "530 | NOT_ALLOWED - connection refused: node connection limit (500) is reached | LIMIT",
                "530 | NOT_ALLOWED - connection refused for user 'shop': user connection limit (1) is reached | LIMIT",
                "530 | NOT_ALLOWED - access to vhost 'sales' refused for user 'shop': connection limit (0) is reached | LIMIT",
                "530 | NOT_ALLOWED - vhost sales not found | REJECTED",
                "530 | NOT_ALLOWED - access to vhost 'sales' refused for user 'shop' | REJECTED",
                "541 | INTERNAL_ERROR - access to vhost 'sales' refused for user 'shop': vhost 'sales' is down | NOT_READY",
                "541 | INTERNAL_ERROR - Could not declare queue 'orders' because the metadata store operation timed out | NOT_READY",
                "320 | CONNECTION_FORCED - broker forced connection closure with reason 'shutdown' | NOT_READY",
                "320 | CONNECTION_FORCED - Node was put into maintenance mode | NOT_READY",
                "404 | NOT_FOUND - no queue 'orders' in vhost '/' | REJECTED",
                "504 | CHANNEL_ERROR - second 'channel.open' seen | REJECTED",
                "0 | java.util.concurrent.TimeoutException | NONE",
            })
    void aRejectionThatClosesTheConnectionIsNoAnswerToAQuestion(int code, String text, Kind kind) {
        BrokerAnswer answer = BrokerAnswer.of(code, text, true, true);

        assertThat(answer.kind()).isEqualTo(kind);
        assertThat(answer.keepsConnection()).isFalse();
    }

    @Test
    void onlyTheBrokersOwnWordsForAMissingQueueProveIt() {
        assertThat(BrokerAnswer.of(AMQP.NOT_FOUND, "NOT_FOUND - Queue 'orders' doesn't exists", false, false)
                        .kind())
                .isEqualTo(Kind.MISSING);
        assertThat(BrokerAnswer.of(AMQP.NOT_FOUND, "NOT_FOUND - Queue 'orders' doesn't exists", false, true)
                        .kind())
                .isEqualTo(Kind.UNUSABLE);
        assertThat(BrokerAnswer.of(
                                AMQP.NOT_FOUND,
                                "NOT_FOUND - home node 'rabbit@b' of durable queue 'long...",
                                false,
                                false)
                        .kind())
                .as("cut by a proxy's broker")
                .isEqualTo(Kind.UNUSABLE);
    }

    /** Or an instance that has delivered nothing yet would stop for good, as when the channels of its predecessor still count. */
    @Test
    void aLimitIsNoErrorOfTheVirtualHost() {
        String text =
                "NOT_ALLOWED - number of channels opened for user 'shop' has reached the maximum allowed user limit of (4)";
        SendException limit = RabbitErrors.connecting(closed(AMQP.NOT_ALLOWED, text), NODE);
        assertThat(limit.kind()).isEqualTo(FailureKind.PASSING);
        assertThat(limit)
                .hasMessageContaining("rabbit-1:5672 has reached a limit")
                .hasMessageContaining(text);

        SendException unknown =
                RabbitErrors.connecting(closed(AMQP.NOT_ALLOWED, "NOT_ALLOWED - vhost sales not found"), NODE);
        assertThat(unknown.kind()).isEqualTo(FailureKind.BROKEN);
        assertThat(unknown)
                .hasMessageStartingWith("rabbitmq.virtual.host: ")
                .hasCauseInstanceOf(NotAdmittedException.class);
    }

    @Test
    void aNodeThatCannotBeConnectedToIsClassified() {
        assertThat(BrokerAnswer.ofConnecting(new TimeoutException(), NODE).kind())
                .isEqualTo(Kind.NONE);
        assertThat(BrokerAnswer.ofConnecting(
                                closed(
                                        AMQP.INTERNAL_ERROR,
                                        "INTERNAL_ERROR - access to vhost 'sales' refused for user 'shop': vhost 'sales' is down"),
                                NODE)
                        .kind())
                .isEqualTo(Kind.NOT_READY);
        assertThat(BrokerAnswer.ofConnecting(
                                closed(
                                        AMQP.CONNECTION_FORCED,
                                        "CONNECTION_FORCED - broker forced connection closure with reason 'shutdown'"),
                                NODE)
                        .kind())
                .isEqualTo(Kind.NOT_READY);
        assertThat(BrokerAnswer.ofConnecting(
                        new AuthenticationFailureException("ACCESS_REFUSED - Login was refused"), NODE))
                .satisfies(answer -> {
                    assertThat(answer.kind()).isEqualTo(Kind.REJECTED);
                    assertThat(answer.text()).startsWith("rabbitmq.username, rabbitmq.password: ");
                });
    }

    /** Without a node that is up in the list its queues would count as missing. */
    @Test
    void thatANodeMayBeRemovedIsOnlyAdvisedIfItCannotBeConnectedTo() {
        for (Exception failure : List.of(
                new ConnectException("Connection refused"),
                new NoRouteToHostException("No route to host"),
                new UnknownHostException("rabbit-1"),
                new SocketTimeoutException("Connect timed out"))) {
            assertThat(adviceAfter(failure)).contains("start it, or remove it from rabbitmq.host");
        }
        for (Exception failure : List.of(
                new TimeoutException(),
                new SocketTimeoutException("Timeout during Connection negotiation"),
                new IOException(new EOFException()),
                new SocketException("Too many open files"),
                new SSLException("Remote host terminated the handshake", new EOFException()))) {
            assertThat(adviceAfter(failure)).contains("does not answer").doesNotContain("remove it");
        }
        for (Exception failure : List.of(
                new SSLException("Unsupported or unrecognized SSL message"),
                new SSLHandshakeException("Received fatal alert: bad_certificate"))) {
            assertThat(adviceAfter(failure))
                    .contains("is up, but refuses", "rabbitmq.tls.*")
                    .doesNotContain("remove it");
        }
    }

    private static String adviceAfter(Exception failure) {
        return BrokerAnswer.ofConnecting(failure, NODE).causeOfAnother(NODE, "it");
    }

    /** What the broker says for this very publish is a verdict about the message, and nothing else is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "60 | 40 | 403 | ACCESS_REFUSED - access to exchange 'changes' in vhost '/' refused for user 'shop' | TOPIC_UNAVAILABLE",
                "60 | 40 | 403 | ACCESS_REFUSED - write access to exchange 'changes' in vhost '/' refused for user 'shop', backend rabbit_auth_backend_ldap returned an error: ldap_connect_error | PASSING",
                "60 | 40 | 403 | ACCESS_REFUSED - write access to topic 'a.long.one' in exchange 'changes' in vhost '/' refused for user 'shop', back... | PASSING",
                "60 | 40 | 404 | NOT_FOUND - no exchange 'changes' in vhost '/' | TOPIC_UNAVAILABLE",
                "60 | 40 | 404 | NOT_FOUND - of another broker | PASSING",
                "60 | 40 | 406 | PRECONDITION_FAILED - message size 2 is larger than configured max size 1 | TOO_LARGE",
                "60 | 40 | 541 | INTERNAL_ERROR | PASSING",
                "40 | 10 | 403 | ACCESS_REFUSED - configure access to exchange 'changes' in vhost '/' refused for user 'shop' | PASSING",
                "50 | 10 | 404 | NOT_FOUND - no queue 'orders' in vhost '/' | PASSING",
            })
    void onlyARejectionOfAPublishIsAVerdictAboutAMessage(
            int classId, int methodId, int code, String text, FailureKind kind) {
        AMQP.Channel.Close close = new AMQP.Channel.Close.Builder()
                .replyCode(code)
                .replyText(text)
                .classId(classId)
                .methodId(methodId)
                .build();

        assertThat(RabbitErrors.kindOfRejection(new ShutdownSignalException(false, false, close, null)))
                .isEqualTo(kind);
    }

    /** It is not passed over then, and waits without end. */
    @Test
    void aTextThatIsCutNamesTheRightThatMayBeMissing() {
        String access = "ACCESS_REFUSED - write access to topic 'long' in exchange 'changes' in vhost '/' refused for ";

        assertThat(RabbitErrors.explained(closed(AMQP.ACCESS_REFUSED, access + "us...")))
                .startsWith("the text is cut, the right may be missing: grant it")
                .endsWith(access + "us...");
        for (String text :
                List.of(access + "user 'shop'", access + "user 'shop', backend http returned an error: long...")) {
            assertThat(RabbitErrors.explained(closed(AMQP.ACCESS_REFUSED, text)))
                    .isEqualTo(text);
        }
    }

    /** Such as an LDAP server that is down. */
    @Test
    void anInstanceIsNotStoppedWhileTheBrokerCannotLookUpTheRightsOfItsUser() {
        String refused = "NOT_ALLOWED - access to vhost '/' refused for user 'shop'";

        assertThat(RabbitErrors.connecting(closed(AMQP.NOT_ALLOWED, refused), NODE)
                        .kind())
                .isEqualTo(FailureKind.BROKEN);
        assertThat(RabbitErrors.connecting(
                                closed(
                                        AMQP.NOT_ALLOWED,
                                        refused + ", backend rabbit_auth_backend_http returned an error: timeout"),
                                NODE)
                        .kind())
                .isEqualTo(FailureKind.PASSING);
    }

    private static IOException closed(int code, String text) {
        AMQP.Connection.Close close = new AMQP.Connection.Close.Builder()
                .replyCode(code)
                .replyText(text)
                .build();
        return new IOException(new ShutdownSignalException(true, false, close, null));
    }
}
