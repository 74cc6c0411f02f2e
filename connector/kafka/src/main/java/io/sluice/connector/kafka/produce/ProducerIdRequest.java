package io.sluice.connector.kafka.produce;

import java.util.function.BiConsumer;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.NetworkClient;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;
import org.jspecify.annotations.Nullable;

/** Asks any broker for a producer id, again and again until there is one. For the loop's thread alone. */
final class ProducerIdRequest {
    private static final ProducerIdAndEpoch NONE = new ProducerIdAndEpoch(-1, (short) -1);

    private final Cluster cluster;
    private final NetworkClient client;
    private final ProduceOptions options;

    private boolean isSent;
    private long backOffEndMillis;

    ProducerIdRequest(Cluster cluster, ProduceOptions options) {
        this.cluster = cluster;
        this.client = cluster.client();
        this.options = options;
    }

    /**
     * Sends the request if it was not sent, and a broker can be asked.
     *
     * @param taker gets the identity, or a failure that does not pass; of the two, the other one is to be ignored
     * @return after how many milliseconds to try again, without an answer
     */
    long poll(BiConsumer<ProducerIdAndEpoch, @Nullable Exception> taker) {
        long now = cluster.nowMillis();
        if (isSent) {
            return options.requestTimeout().toMillis();
        }
        if (backOffEndMillis > now) {
            return backOffEndMillis - now;
        }
        Node node = client.leastLoadedNode(now).node();
        if (node == null) {
            return options.retryBackoff().toMillis();
        }
        if (!client.ready(node, now)) {
            Exception failure = client.authenticationException(node);
            if (failure != null) {
                backOff();
                taker.accept(NONE, failure);
            }
            return Math.max(1, client.pollDelayMs(node, now));
        }
        isSent = true;
        ClientRequest request = client.newClientRequest(
                node.idString(),
                new InitProducerIdRequest.Builder(new InitProducerIdRequestData()
                        .setTransactionalId(null)
                        .setTransactionTimeoutMs(Integer.MAX_VALUE)),
                now,
                true,
                (int) options.requestTimeout().toMillis(),
                response -> answered(response, taker));
        client.send(request, now);
        return options.requestTimeout().toMillis();
    }

    private void answered(ClientResponse response, BiConsumer<ProducerIdAndEpoch, @Nullable Exception> taker) {
        isSent = false;
        if (response.versionMismatch() != null) {
            backOff();
            taker.accept(NONE, response.versionMismatch());
        } else if (response.responseBody() instanceof InitProducerIdResponse answer) {
            Errors error = answer.error();
            if (error == Errors.NONE) {
                taker.accept(
                        new ProducerIdAndEpoch(
                                answer.data().producerId(), answer.data().producerEpoch()),
                        null);
            } else if (error.exception() instanceof RetriableException) {
                backOff();
            } else {
                backOff();
                taker.accept(NONE, error.exception());
            }
        } else {
            backOff(); // the connection was lost
        }
    }

    private void backOff() {
        backOffEndMillis = cluster.nowMillis() + options.retryBackoff().toMillis();
    }
}
