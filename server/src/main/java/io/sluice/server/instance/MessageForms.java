package io.sluice.server.instance;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.ChangeHeaders;
import io.sluice.connector.api.convert.FlatConverter;
import io.sluice.connector.api.convert.RawConverter;
import io.sluice.connector.api.convert.RoutedFlatConverter;
import io.sluice.connector.api.convert.RoutedRawConverter;
import io.sluice.connector.api.convert.Target;
import io.sluice.connector.api.convert.ValueLimit;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.route.BrokerPartitions;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.InstanceConfig;
import io.sluice.server.config.MqConfig;
import io.sluice.server.config.RoutingConfig;
import java.util.OptionalInt;

/** Chooses what makes the messages of an instance: flat or protobuf, to one place or by rules. */
public final class MessageForms {
    private MessageForms() {}

    /**
     * The converter for what is configured.
     *
     * @param producer says how large a message may be, and how many partitions a topic has
     * @param time what messages say of when they were made
     */
    public static BatchConverter converter(InstanceConfig config, MqConfig mq, MessageProducer producer, Time time) {
        RoutingConfig routing = config.routing();
        Router router =
                routing.rules().router(new BrokerPartitions(partitions(producer), BrokerPartitions.INTERVAL, time));
        if (router.isFixed()) {
            Route unused = router.route("", ""); // announces the one topic
            return toOnePlace(config, mq, producer, time);
        }
        return byRules(routing, router, mq, producer, time);
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

    private static BatchConverter byRules(
            RoutingConfig routing, Router router, MqConfig mq, MessageProducer producer, Time time) {
        ValueLimit limit = limit(producer);
        return mq.flatMessage()
                ? new RoutedFlatConverter(router, routing.keyChange(), routing.ddlPartition(), routing.headers(), time)
                        .with(limit)
                : new RoutedRawConverter(
                                router,
                                routing.keyChange(),
                                routing.ddlPartition(),
                                producer.maxValueBytes(),
                                routing.headers())
                        .with(limit);
    }

    private static BatchConverter toOnePlace(InstanceConfig config, MqConfig mq, MessageProducer producer, Time time) {
        RoutingConfig routing = config.routing();
        ChangeHeaders headers = routing.headers();
        Target target = new Target(routing.topic(), routing.partition());
        if (mq.flatMessage()) {
            return new FlatConverter(target, headers, time).with(limit(producer));
        }
        int largestPacket = producer.maxValueBytes();
        RawConverter converter = config.store().rawEntry()
                ? RawConverter.ofRawEntries(target, largestPacket)
                : RawConverter.ofParsedEntries(target, largestPacket, mq.dropTransactionEntries());
        return converter.with(headers).with(limit(producer));
    }

    private static ValueLimit limit(MessageProducer producer) {
        return new ValueLimit(
                producer.maxValueBytes(), HeapShares.ofThisProcess().largestMessage());
    }
}
