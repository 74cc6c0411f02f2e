package io.sluice.connector.kafka.produce;

import io.sluice.protocol.time.Time;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidMetadataException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.message.ProduceResponseData.BatchIndexAndErrorMessage;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.message.ProduceResponseData.TopicProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ProduceResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what the answer to a batch means.
 *
 * <table>
 *   <tr><th>answer</th><th>reaction</th></tr>
 *   <tr><td>none, or a repetition that the broker has recognized</td><td>acknowledged</td></tr>
 *   <tr><td>a gap in front of the oldest, which may be stored, as may be the next</td><td>the next is sent</td></tr>
 *   <tr><td>a failure that passes, no answer, a gap in front of it that is being sent again</td><td>sent again</td></tr>
 *   <tr><td>too large, or invalid without saying which record, and more than one record</td><td>split</td></tr>
 *   <tr><td>any other</td><td>its messages fail, and the loop ends</td></tr>
 * </table>
 *
 * For the loop's thread alone.
 */
final class AnswerReader {
    private static final Logger LOG = LoggerFactory.getLogger(AnswerReader.class);
    private static final int MAX_DOUBLINGS = 10;

    private final Cluster cluster;
    private final ProduceOptions options;
    private final BatchSplitter splitter;
    private final PartitionQueues queues;
    private final SubmittedBatches submitted;
    private final AnswerTimes answerTimes;
    private final MessageAnswers answers;
    private final StopCause stop;
    private final Time time;

    /**
     * Has read nothing.
     *
     * @param queues told which of them may have more to send
     * @param submitted counts the parts of what is split
     * @param answers answers the batches that are not sent again
     */
    AnswerReader(
            Cluster cluster,
            ProduceOptions options,
            BatchSplitter splitter,
            PartitionQueues queues,
            SubmittedBatches submitted,
            AnswerTimes answerTimes,
            MessageAnswers answers,
            StopCause stop,
            Time time) {
        this.cluster = cluster;
        this.options = options;
        this.splitter = splitter;
        this.queues = queues;
        this.submitted = submitted;
        this.answerTimes = answerTimes;
        this.answers = answers;
        this.stop = stop;
        this.time = time;
    }

    /** Reads the answer to a request. Nothing is thrown to Kafka's client, which would log it and continue. */
    void read(Request request, ClientResponse response) {
        if (answers.isUnfinished()) {
            return; // the loop ends: the batches of this request fail with the rest
        }
        answerTimes.note(response, time.nanos());
        try {
            answerParts(request, response);
        } catch (RuntimeException e) {
            stop.endUnexpectedly(e);
            return;
        }
        queues.noteAnswered(request.queues());
    }

    private void answerParts(Request request, ClientResponse response) {
        if (response.responseBody() instanceof ProduceResponse body) {
            for (TopicProduceResponse topic : body.data().responses()) {
                for (PartitionProduceResponse partition : topic.partitionResponses()) {
                    Request.Part part = request.take(topic.name(), topic.topicId(), partition.index());
                    if (part != null && isAwaited(part)) {
                        answer(part, partition);
                    }
                }
            }
        }
        KafkaException lost = failureOf(response);
        for (Request.Part part : List.copyOf(request.parts())) {
            if (!isAwaited(part)) {
                continue;
            }
            if (lost instanceof RetriableException) {
                part.batch().setPossiblyStored(true);
                retry(part, lost);
            } else {
                answers.fail(part.queue(), part.batch(), lost);
            }
        }
    }

    /** False if its batch has failed already, with its whole partition. */
    private static boolean isAwaited(Request.Part part) {
        return part.queue().isInFlight(part.batch());
    }

    /** Why a batch has no answer. */
    private static KafkaException failureOf(ClientResponse response) {
        if (response.versionMismatch() != null) {
            return response.versionMismatch();
        }
        if (response.authenticationException() != null) {
            return response.authenticationException();
        }
        if (response.wasTimedOut()) {
            return new TimeoutException("no answer from broker %s within request.timeout.ms, %d ms"
                    .formatted(response.destination(), response.requestLatencyMs()));
        }
        return new NetworkException("the connection to broker %s was lost".formatted(response.destination()));
    }

    private void answer(Request.Part part, PartitionProduceResponse answer) {
        PartitionQueue queue = part.queue();
        OutgoingBatch batch = part.batch();
        Errors error = Errors.forCode(answer.errorCode());
        switch (error) {
            case NONE, DUPLICATE_SEQUENCE_NUMBER -> acknowledge(queue, batch, answer.baseOffset());
            case OUT_OF_ORDER_SEQUENCE_NUMBER -> {
                if (!queue.isOldest(batch) || queue.mayBeForgotten(batch) || queue.isAnySkippedElsewhere(batch)) {
                    retry(part, exception(error, answer.errorMessage()));
                } else if (!queue.skip(batch)) {
                    answers.fail(queue, batch, exception(error, answer.errorMessage()));
                }
            }
            case REQUEST_TIMED_OUT,
                    NOT_ENOUGH_REPLICAS_AFTER_APPEND,
                    NOT_LEADER_OR_FOLLOWER,
                    KAFKA_STORAGE_ERROR -> { // the latter two also after the append, while other replicas were waited
                // for
                batch.setPossiblyStored(true);
                retry(part, exception(error, answer.errorMessage()));
            }
            case MESSAGE_TOO_LARGE, RECORD_LIST_TOO_LARGE -> {
                if (batch.records().count() > 1) {
                    splitter.lowerLimit(batch);
                    split(queue, batch, false);
                } else {
                    answers.fail(queue, batch, exception(error, answer.errorMessage()));
                }
            }
            case INVALID_RECORD -> rejectRecords(queue, batch, answer);
            case UNKNOWN_TOPIC_OR_PARTITION, UNKNOWN_TOPIC_ID, INCONSISTENT_TOPIC_ID -> {
                if (batch.topicId().equals(Uuid.ZERO_UUID)) { // another id would show that the topic was made again
                    batch.setPossiblyStored(false); // the topic may have been deleted, with all that was stored in it
                }
                retry(part, exception(error, answer.errorMessage()));
            }
            default -> {
                KafkaException failure = exception(error, answer.errorMessage());
                if (failure instanceof RetriableException) {
                    retry(part, failure); // it is about this request: an earlier one may have stored the batch
                } else {
                    answers.fail(queue, batch, failure);
                }
            }
        }
    }

    private static KafkaException exception(Errors error, @Nullable String message) {
        return message == null || message.isEmpty() ? error.exception() : error.exception(message);
    }

    private void acknowledge(PartitionQueue queue, OutgoingBatch batch, long offset) {
        List<OutgoingBatch> all = queue.acknowledged(batch, offset, time.nanos());
        if (all.isEmpty()) {
            answers.fail(
                    queue,
                    batch,
                    new OutOfOrderSequenceException(
                            ("topic %s, partition %d has a batch at offset %d, and not one that was sent before it: was the topic"
                                            + " deleted and created, or its max.message.bytes changed?")
                                    .formatted(queue.topic(), queue.partition(), offset)));
            return;
        }
        answers.acknowledge(all);
    }

    private void retry(Request.Part part, KafkaException failure) {
        if (failure instanceof InvalidMetadataException || failure instanceof TimeoutException) {
            cluster.refresh();
        }
        OutgoingBatch batch = part.batch();
        long backOff = options.retryBackoff().toNanos() << Math.min(MAX_DOUBLINGS, batch.attempts() - 1);
        backOff = Math.min(backOff, options.maxRetryBackoff().toNanos());
        LOG.debug(
                "sending a batch again: topic={} partition={} attempts={} cause={}",
                part.queue().topic(),
                part.queue().partition(),
                batch.attempts(),
                String.valueOf(failure));
        part.queue().noteFailure(failure);
        part.queue().sendAgain(batch, time.nanos() + backOff);
    }

    private void split(PartitionQueue queue, OutgoingBatch rejected, boolean isSingly) {
        queue.sendAgain(rejected, time.nanos());
        queue.split(rejected, batch -> {
            List<OutgoingBatch> made = isSingly && batch == rejected ? splitter.splitAll(batch) : splitter.split(batch);
            submitted.countSplit(made.size());
            return made;
        });
    }

    private void rejectRecords(PartitionQueue queue, OutgoingBatch batch, PartitionProduceResponse answer) {
        int count = batch.records().count();
        if (answer.recordErrors().isEmpty() && count > 1) {
            split(queue, batch, true);
            return;
        }
        InvalidRecordException failure = new InvalidRecordException(String.valueOf(
                answer.errorMessage() == null ? Errors.INVALID_RECORD.message() : answer.errorMessage()));
        Set<Integer> invalid = new HashSet<>();
        for (BatchIndexAndErrorMessage next : answer.recordErrors()) {
            invalid.add(next.batchIndex());
        }
        answers.fail(queue, batch, count == 1 ? Set.of(0) : invalid, failure);
    }
}
