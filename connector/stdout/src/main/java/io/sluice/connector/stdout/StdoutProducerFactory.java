package io.sluice.connector.stdout;

import io.sluice.connector.api.attempt.AttemptProducer;
import io.sluice.connector.api.probe.Findings;
import io.sluice.connector.api.probe.TopicNeed;
import io.sluice.connector.api.producer.MessageProducer;
import io.sluice.connector.api.producer.MessageProducerFactory;
import io.sluice.connector.api.producer.ProducerContext;
import io.sluice.protocol.time.Time;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Makes producers that write lines, by one set of settings. */
record StdoutProducerFactory(StdoutSettings settings, LineSinks sinks) implements MessageProducerFactory {
    @Override
    public MessageProducer create(ProducerContext context) {
        return new AttemptProducer(
                new LineBroker(sinks.of(settings), settings.prefixed()), context.ownership(), Time.SYSTEM);
    }

    @Override
    public void probe(String destination, List<TopicNeed> topics, Duration limit, Findings findings) {
        Path file = settings.file();
        if (file == null) {
            findings.ok("output", "lines go to standard output");
            return;
        }
        Path there = file;
        while (!Files.exists(there) && there.getParent() != null) {
            there = there.getParent();
        }
        if (Files.isWritable(there)) {
            findings.ok("output", "lines go to " + file);
        } else {
            findings.failed("output", there + " may not be written", "change its rights, or stdout.file");
        }
    }
}
