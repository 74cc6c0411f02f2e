package io.sluice.connector.rocketmq;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import io.sluice.connector.api.producer.ProducerConfigException;
import java.util.List;
import java.util.Map;
import org.apache.rocketmq.client.exception.MQClientException;

/** Makes producers for {@code canal.serverMode=rocketMQ}. */
public final class RocketMqProducerFactory implements MessageProducerFactory {
    @Override
    public String name() {
        return "rocketmq";
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        return RocketMqSettings.of(properties).problems();
    }

    @Override
    public MessageProducer create(Map<String, String> properties, Ownership ownership) {
        RocketMqSettings.Outcome outcome = RocketMqSettings.of(properties);
        RocketMqSettings settings = outcome.settings();
        if (settings == null) {
            throw new ProducerConfigException(outcome.problems());
        }
        try {
            return new RocketMqMessageProducer(new BrokerClient(settings), settings, ownership);
        } catch (MQClientException e) {
            throw new ProducerConfigException(
                    List.of(new ConfigProblem("rocketmq.*", String.valueOf(e.getErrorMessage()))));
        }
    }
}
