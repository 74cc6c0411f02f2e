package io.sluice.server.instance;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.MessageConverter;
import io.sluice.connector.api.convert.PacketConverter;
import io.sluice.connector.api.convert.PacketStyle;
import io.sluice.connector.api.convert.ValueLimit;
import io.sluice.connector.api.convert.Workspaces;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.connector.api.route.UnavailableTopics;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.instance.OnTopicUnavailable;
import io.sluice.server.config.instance.RoutingConfig;
import io.sluice.server.config.server.MqConfig;
import java.util.OptionalInt;
import java.util.concurrent.Executor;

/** Chooses what makes the messages of an instance: its converter, in the configured format and by its routing. */
public final class MessageForms {
    private MessageForms() {}

    /**
     * The converter for what is configured.
     *
     * @param producer determines how large a message may be, and how many partitions a topic has
     * @param workspaces those of the configured format
     * @param askers ask the broker for numbers of partitions, and wait for it
     * @param time the clock of the time that messages state
     */
    public static BatchConverter converter(
            InstanceConfig config,
            MqConfig mq,
            MessageProducer producer,
            Workspaces workspaces,
            Executor askers,
            Time time) {
        RoutingConfig routing = config.routing();
        Router router = routing.rules()
                .router(
                        new BrokerPartitions(partitions(producer), BrokerPartitions.INTERVAL, askers, time),
                        config.failure().onTopicUnavailable() == OnTopicUnavailable.RETRY
                                ? UnavailableTopics.AWAITED
                                : UnavailableTopics.REJECTED);
        if (!mq.inPackets()) {
            return new MessageConverter(
                            router, routing.keyChange(), routing.ddlPartition(), routing.headers(), workspaces, time)
                    .with(limit(producer));
        }
        return new PacketConverter(
                        router,
                        routing.keyChange(),
                        routing.ddlPartition(),
                        styleOf(config, mq, router),
                        producer.maxValueBytes(),
                        routing.headers(),
                        workspaces)
                .with(limit(producer));
    }

    private static PacketStyle styleOf(InstanceConfig config, MqConfig mq, Router router) {
        if (!router.isFixed()) {
            return PacketStyle.PARSED_WITHOUT_BOUNDARIES;
        }
        if (config.store().rawEntry()) {
            return PacketStyle.RAW;
        }
        return mq.dropTransactionEntries() ? PacketStyle.PARSED_WITHOUT_BOUNDARIES : PacketStyle.PARSED;
    }

    private static TopicPartitions partitions(MessageProducer producer) {
        return new TopicPartitions() {
            @Override
            public OptionalInt of(String topic) {
                return producer.partitionsOf(topic);
            }

            @Override
            public void announce(String topic, int partitions) {
                producer.announce(topic, partitions);
            }
        };
    }

    private static ValueLimit limit(MessageProducer producer) {
        return new ValueLimit(
                producer.maxValueBytes(), HeapShares.ofThisProcess().largestMessage());
    }
}
