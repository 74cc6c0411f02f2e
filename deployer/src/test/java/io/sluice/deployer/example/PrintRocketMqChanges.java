package io.sluice.deployer.example;

import io.sluice.client.QueueMessage;
import io.sluice.client.TableChange;
import io.sluice.client.example.PrintChanges;
import java.io.IOException;
import java.io.PrintStream;
import java.util.function.BooleanSupplier;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;

/** Prints every change of a topic of RocketMQ, in whichever form it is: {@code PrintRocketMqChanges NAME_SERVERS TOPIC}. */
public final class PrintRocketMqChanges {
    private static final long POLL_MILLIS = 200;

    private PrintRocketMqChanges() {}

    public static void main(String[] args) throws IOException, MQClientException {
        print(args[0], args[1], System.out, () -> false);
    }

    /** Prints until it has printed enough. */
    public static void print(String nameServers, String topic, PrintStream out, BooleanSupplier isEnough)
            throws IOException, MQClientException {
        DefaultLitePullConsumer consumer = new DefaultLitePullConsumer("print-changes");
        consumer.setNamesrvAddr(nameServers);
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setAutoCommit(false);
        consumer.start();
        try {
            // All queues; consumers that share them subscribe instead.
            consumer.assign(consumer.fetchMessageQueues(topic));
            while (!isEnough.getAsBoolean()) {
                for (MessageExt message : consumer.poll(POLL_MILLIS)) {
                    for (TableChange change :
                            QueueMessage.read(message.getBody()).changes()) {
                        PrintChanges.print(change, out);
                    }
                }
                // Only now: what is not committed comes again after a crash.
                consumer.commit();
            }
        } finally {
            consumer.shutdown();
        }
    }
}
