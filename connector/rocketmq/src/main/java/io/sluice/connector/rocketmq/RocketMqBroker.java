package io.sluice.connector.rocketmq;

import io.sluice.connector.api.attempt.Attempt;
import io.sluice.connector.api.attempt.BoundedClose;
import io.sluice.connector.api.attempt.Broker;
import io.sluice.connector.api.attempt.BrokerConnection;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** RocketMQ's brokers. All attempts share one client, which connects by itself. */
final class RocketMqBroker implements Broker {
    private final RocketMqClient client;
    private final RocketMqSettings settings;
    private final Ownership ownership;
    private final SettledBrokers brokers;
    private final FormerProducers former;

    private @Nullable RocketMqConnection newest;

    /** Takes a client, which is closed here. */
    RocketMqBroker(RocketMqClient client, RocketMqSettings settings, Ownership ownership, Time time) {
        this.client = client;
        this.settings = settings;
        this.ownership = ownership;
        this.brokers = new SettledBrokers(client.queries(), settings, time);
        this.former = new FormerProducers(client.queries(), brokers);
    }

    @Override
    public BrokerConnection connect(Attempt attempt) {
        RocketMqConnection before = newest;
        int requestBytes = before == null ? settings.batchBytes() : before.requestBytes();
        RocketMqConnection made =
                new RocketMqConnection(attempt, client, former, brokers, settings, requestBytes, ownership);
        newest = made;
        return made;
    }

    @Override
    public OptionalInt partitionsOf(String topic) {
        return OptionalInt.of(client.queries().partitionsOf(topic));
    }

    @Override
    public int maxValueBytes() {
        return settings.maxMessageBytes();
    }

    /** The client waits for each broker that it knows, one after the other. */
    @Override
    public void close(Duration limit) throws InterruptedException {
        BoundedClose.run(limit, "rocketmq-close", client::close);
    }
}
