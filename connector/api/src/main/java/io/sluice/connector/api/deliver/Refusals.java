package io.sluice.connector.api.deliver;

import io.sluice.connector.api.convert.OutgoingRecord;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.protocol.time.Time;
import java.util.List;

/**
 * Answers the refusal of records: cuts what can be cut, and has the policy judge the rest. For the sender's thread, while the
 * producer has nothing to answer for.
 */
final class Refusals {
    private final String instance;
    private final RefusalPolicy policy;
    private final SenderProgress progress;
    private final RefusalLog log;

    Refusals(String instance, RefusalPolicy policy, SenderProgress progress, Time time) {
        this.instance = instance;
        this.policy = policy;
        this.progress = progress;
        this.log = new RefusalLog(instance, time);
    }

    /**
     * Answers every refusal in these batches; the records are then passed over, or something else is sent in their place.
     *
     * @return whether there was any that need not wait for anything
     * @throws RecordRefusedException if the policy is to stop
     * @throws ProducerBrokenException if nothing can be sent any more
     */
    boolean answerAll(List<PendingBatch> batches) {
        boolean any = false;
        for (PendingBatch batch : batches) {
            if (batch.failure() == null) {
                continue;
            }
            for (PendingRecord record : batch.records()) {
                DeliveryFailure failure = record.failure();
                if (failure != null) {
                    any |= isAnswered(batch, record, failure);
                }
            }
        }
        return any;
    }

    private boolean isAnswered(PendingBatch batch, PendingRecord record, DeliveryFailure failure) {
        return switch (failure.kind()) {
            case PASSING -> false;
            case BROKEN -> throw new ProducerBrokenException(instance, failure);
            case TOO_LARGE, INVALID, TOPIC_UNAVAILABLE ->
                record.isDeadLetter() ? answerDeadLetter(batch, record, failure) : answer(batch, record, failure);
        };
    }

    private boolean answer(PendingBatch batch, PendingRecord record, DeliveryFailure failure) {
        boolean isTooLarge = failure.kind() == FailureKind.TOO_LARGE;
        List<OutgoingRecord> pieces = isTooLarge || !record.record().isOfOneEntry()
                ? batch.pieces(record.record())
                : List.of(record.record());
        if (isTooLarge && pieces.size() > 1) {
            log.cut(record.message(), pieces.size());
            batch.replace(record, pieces);
            progress.cut();
            return true;
        }
        return judge(record, refused(record, pieces, failure));
    }

    private boolean judge(PendingRecord record, RefusedRecord refused) {
        RefusalPolicy.Verdict verdict = policy.judge(refused);
        if (verdict instanceof RefusalPolicy.Verdict.Skip) {
            log.judged("SKIPPED", refused);
            record.passOver();
        } else if (verdict instanceof RefusalPolicy.Verdict.SendInstead instead) {
            log.judged("sending it to " + instead.letters().get(0).topic(), refused);
            record.sendInstead(instead.letters());
        } else if (verdict instanceof RefusalPolicy.Verdict.Retry) {
            log.retried(refused);
            return false;
        } else {
            throw RecordRefusedException.of(instance, refused);
        }
        return true;
    }

    private boolean answerDeadLetter(PendingBatch batch, PendingRecord record, DeliveryFailure failure) {
        boolean isOfItsTopic = failure.kind() == FailureKind.TOPIC_UNAVAILABLE;
        List<Message> others = record.alternatives();
        if (!isOfItsTopic && !others.isEmpty()) {
            record.sendInstead(others);
            return true;
        }
        RefusedRecord refused = refused(record, batch.pieces(record.record()), failure);
        if (isOfItsTopic && policy.judge(refused) instanceof RefusalPolicy.Verdict.Retry) {
            log.retried(refused);
            return false;
        }
        throw RecordRefusedException.ofDeadLetter(instance, refused, record.message());
    }

    private static RefusedRecord refused(PendingRecord record, List<OutgoingRecord> pieces, DeliveryFailure failure) {
        List<String> tables = pieces.stream()
                .map(OutgoingRecord::first)
                .filter(entry -> !entry.tableName().isEmpty())
                .map(entry -> entry.schemaName() + "." + entry.tableName())
                .distinct()
                .toList();
        return new RefusedRecord(record.record(), tables, failure);
    }
}
