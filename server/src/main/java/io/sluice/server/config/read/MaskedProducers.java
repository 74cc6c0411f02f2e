package io.sluice.server.config.read;

import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.ConfigProblem;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerConfigException;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.server.config.key.ProducerSettings;
import java.time.Duration;
import java.util.List;

/**
 * Makes producers as another factory does, and takes what is secret out of the message of an exception with which that fails: clients of brokers quote
 * URLs and options. Thread-safe.
 *
 * @param settings of which the factory was made
 */
record MaskedProducers(MessageProducerFactory factory, ProducerSettings settings) implements MessageProducerFactory {
    @Override
    public boolean usesDeployment() {
        return factory.usesDeployment();
    }

    @Override
    public MessageProducer create(ProducerContext context) {
        try {
            return factory.create(context);
        } catch (ProducerConfigException e) {
            throw withTraceOf(
                    e,
                    new ProducerConfigException(e.problems().stream()
                            .map(problem -> new ConfigProblem(
                                    problem.key(), settings.sentence(problem.key(), problem.problem())))
                            .toList()));
        } catch (RuntimeException e) {
            String cause = e.getCause() == null ? "" : ": " + e.getCause();
            throw withTraceOf(e, new IllegalStateException(settings.sentence("", e + cause)));
        }
    }

    /** Without the exception itself as its cause, whose message would be shown. */
    private static <E extends RuntimeException> E withTraceOf(RuntimeException quoting, E masked) {
        masked.setStackTrace(quoting.getStackTrace());
        return masked;
    }

    @Override
    public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings)
            throws InterruptedException {
        factory.probe(destination, topics, limit, findings);
    }
}
