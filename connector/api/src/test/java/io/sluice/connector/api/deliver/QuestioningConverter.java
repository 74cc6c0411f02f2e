package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.BatchConverter;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.PartitionsAwaitedException;
import io.sluice.format.entry.Entry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A converter that needs the number of partitions of its topic for each batch, which the broker does not always state at once, or at all.
 *
 * @param rate how often it does not, from 0 to 1
 * @param end when it does always, in simulated time
 * @param rejects whether messages for a topic that is unavailable are rejected, and not awaited
 */
record QuestioningConverter(
        SimulatedConverter known, SplittableRandom random, SimulatedTime time, double rate, long end, boolean rejects)
        implements BatchConverter {
    private static final long MAX_DELAY_NANOS = 20_000_000_000L;

    @Override
    public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
        throw new IllegalStateException("not for a batch");
    }

    @Override
    public BatchConverter forBatch() {
        return new OfBatch();
    }

    private final class OfBatch implements BatchConverter {
        private final Map<String, PartitionsUnknownException> unavailable = new HashMap<>();
        private CompletableFuture<OptionalInt> question;
        private boolean isKnown;

        @Override
        public List<OutgoingMessage> convert(long batchId, List<Entry> entries) {
            if (!isKnown) {
                ask();
            }
            return known.convert(batchId, entries);
        }

        @Override
        public BatchConverter singly() {
            return known.singly();
        }

        @Override
        public Map<String, PartitionsUnknownException> unavailable() {
            return unavailable;
        }

        private void ask() {
            if (question != null && !question.isDone()) {
                throw new IllegalStateException("converted again before the answer");
            }
            boolean isAnswered = question != null;
            question = null;
            isKnown = time.elapsedNanos() >= end || random.nextDouble() >= rate;
            if (isKnown) {
                return;
            }
            switch (random.nextInt(isAnswered ? 4 : 8)) {
                case 0 -> throw new PartitionsUnknownException(known.topic(), "no broker is reachable");
                case 1 ->
                    throw new PartitionsUnknownException(
                            known.topic(),
                            new NotAdmittedException("wrong password", new IllegalStateException("refused")),
                            FailureKind.BROKEN);
                case 2, 3 -> beUnavailable();
                default -> {
                    question = new CompletableFuture<>();
                    time.schedule(random.nextLong(MAX_DELAY_NANOS), () -> question.complete(OptionalInt.empty()));
                    throw new PartitionsAwaitedException(known.topic(), question);
                }
            }
        }

        private void beUnavailable() {
            PartitionsUnknownException unknown = new PartitionsUnknownException(
                    known.topic(), new IllegalStateException("no such topic"), FailureKind.TOPIC_UNAVAILABLE);
            if (!rejects) {
                throw unknown;
            }
            unavailable.put(known.topic(), unknown);
            isKnown = true;
        }
    }
}
