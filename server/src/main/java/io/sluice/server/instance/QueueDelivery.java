package io.sluice.server.instance;

import io.sluice.connector.api.deliver.BatchSender;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.connector.api.producer.MessageProducer;
import java.time.Duration;
import java.util.Optional;

/** Sends an instance's entries to a broker. */
final class QueueDelivery implements Delivery {
    /** How long a producer may take to close whose messages are all answered for. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    private final String destination;
    private final BatchSender sender;
    private final MessageProducer producer;

    /**
     * Makes a delivery.
     *
     * @param producer its own, which it closes
     */
    QueueDelivery(String destination, BatchSender sender, MessageProducer producer) {
        this.destination = destination;
        this.sender = sender;
        this.producer = producer;
    }

    @Override
    public Optional<SenderStatus> senderStatus() {
        return Optional.of(sender.status());
    }

    @Override
    public void start() {
        sender.start();
    }

    @Override
    public boolean stop(Duration limit) throws InterruptedException {
        return sender.stop(limit) && sender.isSilent();
    }

    @Override
    public boolean abandon() throws InterruptedException {
        boolean hasEnded;
        sender.beginStop(); // or it would report a producer that takes nothing more as its failure
        try {
            ProducerClose.close(destination, producer, Duration.ZERO);
        } finally { // also if the broker's client cannot be closed
            hasEnded = sender.stop(Duration.ZERO);
        }
        return hasEnded && sender.isSilent();
    }

    /** Not decisive for what can still arrive: all that was confirmed is, and what was not is reported by the sender. */
    @Override
    public void close() {
        ProducerClose.close(destination, producer, CLOSE_LIMIT);
    }
}
