package io.sluice.deployer;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.Connector;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A plugin's connector, and the factories that it makes, called in the context of the plugin. */
record PluggedConnector(Connector plugin, PluginContext context) implements Connector {
    PluggedConnector(Connector plugin) {
        this(plugin, PluginContext.of(plugin));
    }

    @Override
    public String name() {
        return returned("name", context.call(plugin::name));
    }

    @Override
    public MessageProducerFactory configure(Map<String, String> properties) {
        return new PluggedFactory(returned("configure", context.call(() -> plugin.configure(properties))), context);
    }

    @Override
    public boolean knows(String key) {
        return context.call(() -> plugin.knows(key));
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return context.call(() -> plugin.localKeys(properties));
    }

    private <T> T returned(String method, @Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("%s of %s has returned null"
                    .formatted(method, plugin.getClass().getName()));
        }
        return value;
    }

    private record PluggedFactory(MessageProducerFactory plugin, PluginContext context)
            implements MessageProducerFactory {
        @Override
        public boolean usesDeployment() {
            return plugin.usesDeployment();
        }

        @Override
        public MessageProducer create(ProducerContext producer) {
            return context.call(() -> plugin.create(producer));
        }

        @Override
        public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings)
                throws InterruptedException {
            context.run(() -> plugin.probe(destination, topics, limit, findings));
        }
    }
}
