package io.sluice.deployer;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.Ownership;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A connector's factory, called with the plugin's class loader as the thread's context: broker clients look there for the
 * classes that their options name, and the threads they start inherit it.
 */
record PluggedFactory(MessageProducerFactory plugin) implements MessageProducerFactory {
    @Override
    public String name() {
        return plugin.name();
    }

    @Override
    public List<ConfigProblem> check(Map<String, String> properties) {
        return inContext(() -> plugin.check(properties));
    }

    @Override
    public boolean knows(String key) {
        return inContext(() -> plugin.knows(key));
    }

    @Override
    public boolean usesDeployment() {
        return plugin.usesDeployment();
    }

    @Override
    public MessageProducer create(Map<String, String> properties, Ownership ownership) {
        return inContext(() -> plugin.create(properties, ownership));
    }

    @Override
    public void probe(Map<String, String> properties, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(plugin.getClass().getClassLoader());
        try {
            plugin.probe(properties, topics, limit, findings);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    public List<String> localKeys(Map<String, String> properties) {
        return inContext(() -> plugin.localKeys(properties));
    }

    private <T> T inContext(Supplier<T> call) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(plugin.getClass().getClassLoader());
        try {
            return call.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
