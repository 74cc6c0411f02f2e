package io.sluice.connector.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;

/**
 * What the broker answered to a question, such as a passive declaration, which declares nothing.
 *
 * @param code its reply code; 0 if it has not answered, also since the connection was closed: that is no answer to the question
 * @param text its words, or why there are none; empty for a success
 * @param isMissing whether it says that a queue or an exchange does not exist
 */
record BrokerAnswer(int code, String text, boolean isMissing) {
    /** That of a broker that was not asked, or has not answered. */
    static BrokerAnswer none(String why) {
        return new BrokerAnswer(0, why, false);
    }

    /** A request that the broker may reject. */
    interface Question {
        void ask(Channel channel) throws IOException;
    }

    /** Asks on a channel of its own, since the broker closes it when it rejects. Not for the thread that reads from the broker. */
    static BrokerAnswer to(Connection connection, Question question) {
        try {
            Channel channel = connection.createChannel();
            if (channel == null) {
                return new BrokerAnswer(AMQP.NOT_ALLOWED, "the broker allows no more channels", false);
            }
            question.ask(channel);
            channel.abort();
            return new BrokerAnswer(AMQP.REPLY_SUCCESS, "", false);
        } catch (IOException | RuntimeException e) {
            if (RabbitErrors.isConnectionClosed(e)) {
                return none(RabbitErrors.textOf(e));
            }
            return new BrokerAnswer(
                    RabbitErrors.codeOf(e), RabbitErrors.textOf(e), RabbitErrors.isMissing(e, connection));
        }
    }

    /** Whether the broker has answered at all. */
    boolean isGiven() {
        return code != 0;
    }
}
