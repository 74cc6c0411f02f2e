package io.sluice.connector.rabbitmq.send;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.sluice.connector.rabbitmq.node.ProbeQueue;
import io.sluice.testkit.rabbitmq.RabbitMqBroker;
import io.sluice.testkit.time.HandTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keeps queues at a real broker, by a clock that is set by hand. */
@Timeout(300)
class FenceQueuesIT {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String MISSING = ProbeQueue.PREFIX + "shop";

    private static RabbitMqBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = RabbitMqBroker.start();
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    /** RabbitMQ logs an error for each attempt, and the node of that queue may be down for days. */
    @Test
    void aQueueThatAnotherConnectionHasIsTriedLessAndLessOften() throws IOException {
        HandTime time = new HandTime();
        try (Connection earlier = broker.server().connect();
                Connection own = broker.server().connect()) {
            Channel channel = earlier.createChannel();
            FenceQueues.declare(channel, MISSING);
            FenceQueues queues = new FenceQueues(own, List.of(), MISSING, time);

            assertThat(LongStream.range(0, 7).map(attempt -> secondsUntilDue(queues, time)))
                    .containsExactly(1L, 2L, 4L, 8L, 15L, 15L, 15L);

            channel.queueDelete(MISSING);
            queues.keep();
            assertThat(secondsUntilDue(queues, time)).isEqualTo(FenceQueues.BEFORE_RENEWAL.toSeconds());
        }
    }

    /** Also tries the queue. */
    private static long secondsUntilDue(FenceQueues queues, HandTime time) {
        time.pass(Duration.ofMillis(1)); // since it is due after that time
        long seconds = 0;
        while (!queues.isDue()) {
            time.pass(SECOND);
            seconds++;
        }
        queues.keep();
        return seconds;
    }
}
