package io.sluice.testkit.rabbitmq;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import io.sluice.testkit.broker.BrokerRecord;
import io.sluice.testkit.broker.GatedBroker;
import io.sluice.testkit.proxy.Gate;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A RabbitMQ broker with a gate in front of it. A topic is a queue of that name, and its name is the routing key that leads there. */
public final class RabbitMqBroker extends GatedBroker<RabbitMqServer> {
    /** To which the server under test sends. */
    public static final String EXCHANGE = "sluice.test";

    private static final long POLL_MILLIS = 100;

    private RabbitMqBroker(RabbitMqServer server, Gate gate) {
        super(server, gate);
    }

    /** Starts a broker and returns when it answers. */
    public static RabbitMqBroker start() {
        return start(RabbitMqOptions.defaults());
    }

    /** Starts a broker and returns when it answers. */
    public static RabbitMqBroker start(RabbitMqOptions options) {
        RabbitMqServer server = RabbitMqServer.start(options);
        RabbitMqBroker broker = new RabbitMqBroker(server, new Gate(server::port));
        broker.ask(channel -> channel.exchangeDeclare(EXCHANGE, "direct", true));
        return broker;
    }

    @Override
    public String name() {
        return "rabbitmq";
    }

    @Override
    public Map<String, String> settings() {
        return Map.of(
                "canal.serverMode",
                "rabbitMQ",
                "rabbitmq.host",
                "127.0.0.1:" + gate().port(),
                "rabbitmq.exchange",
                EXCHANGE);
    }

    @Override
    public Map<String, String> shortTimeouts() {
        return Map.of(
                "rabbitmq.confirm.timeout.ms", "3000",
                "rabbitmq.block.timeout.ms", "3000",
                "rabbitmq.connect.timeout.ms", "2000");
    }

    @Override
    public void createTopic(String topic, int partitions) {
        ask(channel -> {
            channel.queueDeclare(topic, true, false, false, Map.of());
            return channel.queueBind(topic, EXCHANGE, topic);
        });
    }

    @Override
    public long delivered(String topic) {
        return ask(channel -> channel.messageCount(topic));
    }

    /** What is read is not acked, so that the queue has it back in its order when the reader is closed. */
    @Override
    public void read(String topic, Consumer<BrokerRecord> receiver, BooleanSupplier condition, Duration atMost) {
        long deadline = System.nanoTime() + atMost.toNanos();
        ask(channel -> {
            BlockingQueue<Delivery> arrived = new LinkedBlockingQueue<>();
            channel.basicConsume(topic, false, (tag, delivery) -> arrived.add(delivery), tag -> {});
            long offset = 0;
            while (!condition.getAsBoolean()) {
                Delivery delivery = poll(arrived);
                if (delivery != null) {
                    receiver.accept(recordOf(topic, offset++, delivery));
                } else if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "after %d records of topic %s nothing more came in time".formatted(offset, topic));
                }
            }
            return offset;
        });
    }

    private static @Nullable Delivery poll(BlockingQueue<Delivery> arrived) {
        try {
            return arrived.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while reading", e);
        }
    }

    /** The properties that the server under test may set are given as headers, too, by their names in AMQP. */
    private static BrokerRecord recordOf(String topic, long offset, Delivery delivery) {
        Map<String, String> headers = new HashMap<>();
        Map<String, Object> own = delivery.getProperties().getHeaders();
        if (own != null) {
            own.forEach((name, value) -> headers.put(name, Objects.toString(value)));
        }
        headers.put("content-type", Objects.toString(delivery.getProperties().getContentType()));
        headers.put("delivery-mode", Objects.toString(delivery.getProperties().getDeliveryMode()));
        headers.put("priority", Objects.toString(delivery.getProperties().getPriority()));
        return new BrokerRecord(topic, 0, offset, null, delivery.getBody(), headers);
    }

    /** A request on a channel. */
    public interface Question<T> {
        T ask(Channel channel) throws IOException;
    }

    /** Sends a request over a connection of its own. */
    public <T> T ask(Question<T> question) {
        try (Connection connection = server().connect();
                Channel channel = connection.createChannel()) {
            return question.ask(channel);
        } catch (IOException | TimeoutException e) {
            throw new IllegalStateException("the broker rejected it", e);
        }
    }
}
