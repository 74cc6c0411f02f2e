package io.sluice.deployer;

import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A plugin's factory, called with the plugin's class loader as the thread's own: libraries look up classes by name there,
 * and threads that they start inherit it.
 */
final class PluginFactory implements MessageProducerFactory {
    private final MessageProducerFactory factory;

    PluginFactory(MessageProducerFactory factory) {
        this.factory = factory;
    }

    @Override
    public String name() {
        return factory.name();
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        return inPlugin(() -> factory.check(properties));
    }

    @Override
    public MessageProducer create(Map<String, String> properties) {
        return inPlugin(() -> factory.create(properties));
    }

    private <T> T inPlugin(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(factory.getClass().getClassLoader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
