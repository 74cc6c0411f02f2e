package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;

/**
 * What the broker answered to a question, such as a passive declaration, which declares nothing.
 *
 * @param code its reply code; 0 if it has not answered
 * @param text its words, or why there are none; empty for a success
 */
record BrokerAnswer(int code, String text) {
    /** A request that the broker may reject. */
    interface Question {
        void ask(Channel channel) throws IOException;
    }

    /** Asks on a channel of its own, since the broker closes it when it rejects. Not for the thread that reads from the broker. */
    static BrokerAnswer to(Connection connection, Question question) {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return new BrokerAnswer(0, "the broker allows no more channels");
            }
            question.ask(channel);
            channel.abort();
            return new BrokerAnswer(AMQP.REPLY_SUCCESS, "");
        } catch (IOException | RuntimeException e) {
            return new BrokerAnswer(RabbitErrors.codeOf(e), RabbitErrors.textOf(e));
        }
    }

    /** Whether it says that a queue or an exchange does not exist. */
    boolean isMissing() {
        return code == AMQP.NOT_FOUND && RabbitErrors.isMissing(text);
    }
}
