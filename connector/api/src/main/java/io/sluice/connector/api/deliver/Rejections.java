package io.sluice.connector.api.deliver;

import io.sluice.connector.api.attempt.NotSentException;
import io.sluice.connector.api.attempt.SendException;
import io.sluice.connector.api.convert.OutgoingMessage;
import io.sluice.connector.api.deliver.failure.DeliveryFailure;
import io.sluice.connector.api.deliver.failure.LoginFailures;
import io.sluice.connector.api.deliver.failure.MessageRejectedException;
import io.sluice.connector.api.deliver.failure.ProducerBrokenException;
import io.sluice.connector.api.deliver.failure.RejectedMessage;
import io.sluice.connector.api.deliver.failure.RejectionLog;
import io.sluice.connector.api.deliver.failure.RejectionPolicy;
import io.sluice.connector.api.producer.FailureKind;
import io.sluice.connector.api.producer.Message;
import io.sluice.connector.api.producer.NotAdmittedException;
import io.sluice.protocol.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Handles rejected messages: splits those that can be split, and applies the policy to the rest. For the sender's thread, while the
 * producer has nothing to answer for.
 */
final class Rejections {
    private final String instance;
    private final RejectionPolicy policy;
    private final SenderProgress progress;
    private final RejectionLog log;
    private final LoginFailures logins;

    Rejections(String instance, RejectionPolicy policy, SenderProgress progress, Time time) {
        this.instance = instance;
        this.policy = policy;
        this.progress = progress;
        this.log = new RejectionLog(instance, time);
        this.logins = new LoginFailures(time);
    }

    /**
     * Handles every rejection in these batches; the messages are then skipped, split, or replaced by others.
     *
     * @param ofConversion why a later batch could not be converted; null if that has not failed
     * @return whether there was any that needs no back-off
     * @throws MessageRejectedException if the policy is to stop
     * @throws ProducerBrokenException if nothing can be sent any more
     */
    boolean answerAll(List<PendingBatch> batches, @Nullable DeliveryFailure ofConversion) {
        judgeLogin(batches, ofConversion);
        if (ofConversion != null && ofConversion.kind() == FailureKind.BROKEN && !isOfLogin(ofConversion)) {
            throw new ProducerBrokenException(instance, ofConversion);
        }
        boolean any = false;
        for (PendingBatch batch : batches) {
            if (batch.failure() == null) {
                continue;
            }
            for (PendingMessage pending : batch.messages()) {
                DeliveryFailure failure = pending.failure();
                if (failure != null) {
                    any |= isAnswered(batch, pending, failure);
                }
            }
        }
        return any && ofConversion == null;
    }

    /**
     * Whether nothing has failed but messages of which nothing is known before they are sent once more, and those that were not sent after them. Then it is no failure of the
     * broker, and needs no back-off: once for each message.
     *
     * @param ofConversion why a later batch could not be converted; null if that has not failed
     */
    boolean areSentOnceMore(List<PendingBatch> batches, @Nullable DeliveryFailure ofConversion) {
        if (ofConversion != null) {
            return false;
        }
        List<PendingMessage> onceMore = new ArrayList<>();
        for (PendingBatch batch : batches) {
            if (batch.failure() == null) {
                continue;
            }
            for (PendingMessage pending : batch.messages()) {
                DeliveryFailure failure = pending.failure();
                if (failure == null) {
                    continue;
                }
                if (isToBeSentOnceMore(failure)) {
                    onceMore.add(pending);
                } else if (!isAfterAnother(failure)) {
                    return false;
                }
            }
        }
        boolean areFirst = !onceMore.isEmpty();
        for (PendingMessage pending : onceMore) {
            areFirst &= pending.sendOnceMore();
        }
        return areFirst;
    }

    private static boolean isAfterAnother(DeliveryFailure failure) {
        return failure.cause() instanceof NotSentException notSent && notSent.isAfterFailure();
    }

    private static boolean isToBeSentOnceMore(DeliveryFailure failure) {
        return failure.cause() instanceof SendException send && send.isToBeSentOnceMore();
    }

    /** A failed connection counts as one failed login, however many messages failed with it. */
    private void judgeLogin(List<PendingBatch> batches, @Nullable DeliveryFailure ofConversion) {
        DeliveryFailure failure = loginFailure(batches, ofConversion);
        if (failure == null) {
            logins.interrupted();
        } else if (logins.isFinal(progress.ackedMessages(), mayPass(failure))) {
            throw new ProducerBrokenException(instance, failure);
        }
    }

    /** How long the next attempt waits at least after those that were answered. */
    Duration pause() {
        return logins.pause();
    }

    private static @Nullable DeliveryFailure loginFailure(
            List<PendingBatch> batches, @Nullable DeliveryFailure ofConversion) {
        for (PendingBatch batch : batches) {
            if (batch.failure() == null) {
                continue;
            }
            for (PendingMessage pending : batch.messages()) {
                DeliveryFailure own = pending.failure();
                if (own != null && isOfLogin(own)) {
                    return own;
                }
            }
        }
        return ofConversion != null && isOfLogin(ofConversion) ? ofConversion : null;
    }

    private static boolean isOfLogin(DeliveryFailure failure) {
        return failure.kind() == FailureKind.BROKEN && failure.cause() instanceof NotAdmittedException;
    }

    private static boolean mayPass(DeliveryFailure ofLogin) {
        return ofLogin.cause() instanceof NotAdmittedException refused && refused.mayPass();
    }

    private boolean isAnswered(PendingBatch batch, PendingMessage pending, DeliveryFailure failure) {
        return switch (failure.kind()) {
            case PASSING -> false;
            case BROKEN -> {
                if (isOfLogin(failure)) {
                    yield false;
                }
                throw new ProducerBrokenException(instance, failure);
            }
            case TOO_LARGE, INVALID, TOPIC_UNAVAILABLE ->
                pending.isDeadLetter() ? answerDeadLetter(batch, pending, failure) : answer(batch, pending, failure);
        };
    }

    private boolean answer(PendingBatch batch, PendingMessage pending, DeliveryFailure failure) {
        boolean isTooLarge = failure.kind() == FailureKind.TOO_LARGE;
        List<OutgoingMessage> pieces = isTooLarge || !pending.outgoing().isOfOneEntry()
                ? batch.pieces(pending.outgoing())
                : List.of(pending.outgoing());
        if (isTooLarge && pieces.size() > 1) {
            log.split(pending.message(), pieces.size());
            batch.replace(pending, pieces);
            progress.addSplit();
            return true;
        }
        return judge(pending, rejected(pending, pieces, failure));
    }

    private boolean judge(PendingMessage pending, RejectedMessage rejected) {
        RejectionPolicy.Verdict verdict = policy.judge(rejected);
        if (verdict instanceof RejectionPolicy.Verdict.Skip) {
            log.judged("SKIPPED", rejected);
            pending.passOver();
        } else if (verdict instanceof RejectionPolicy.Verdict.SendInstead instead) {
            log.judged("sending it to " + instead.letters().get(0).topic(), rejected);
            pending.sendInstead(instead.letters());
        } else if (verdict instanceof RejectionPolicy.Verdict.Retry) {
            log.retried(rejected);
            return false;
        } else {
            throw MessageRejectedException.of(instance, rejected);
        }
        return true;
    }

    private boolean answerDeadLetter(PendingBatch batch, PendingMessage pending, DeliveryFailure failure) {
        boolean isOfItsTopic = failure.kind() == FailureKind.TOPIC_UNAVAILABLE;
        List<Message> others = pending.alternatives();
        if (!isOfItsTopic && !others.isEmpty()) {
            pending.sendInstead(others);
            return true;
        }
        RejectedMessage rejected = rejected(pending, batch.pieces(pending.outgoing()), failure);
        if (isOfItsTopic && policy.judge(rejected) instanceof RejectionPolicy.Verdict.Retry) {
            log.retried(rejected);
            return false;
        }
        throw MessageRejectedException.ofDeadLetter(instance, rejected, pending.message());
    }

    private static RejectedMessage rejected(
            PendingMessage pending, List<OutgoingMessage> pieces, DeliveryFailure failure) {
        List<String> tables = pieces.stream()
                .map(OutgoingMessage::first)
                .filter(entry -> !entry.tableName().isEmpty())
                .map(entry -> entry.schemaName() + "." + entry.tableName())
                .distinct()
                .toList();
        return new RejectedMessage(pending.outgoing(), tables, failure);
    }
}
