package io.sluice.connector.rabbitmq.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import org.junit.jupiter.api.Test;

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
}
