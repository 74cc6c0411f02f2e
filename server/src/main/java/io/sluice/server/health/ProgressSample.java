package io.sluice.server.health;

import io.sluice.connector.api.deliver.SenderState;
import io.sluice.connector.api.deliver.SenderStatus;
import io.sluice.server.instance.Instance;
import io.sluice.server.instance.InstanceState;
import io.sluice.store.ring.StoreLevel;
import io.sluice.stream.source.SourceProgress;
import java.util.Optional;

/**
 * The progress of an instance at one moment.
 *
 * @param lagBytes of binlog that the source has and that were not read; -1 if unknown
 * @param receivedBytes of events that came so far
 * @param events how many came so far, without heartbeats
 * @param newEvents how many of them had not come before
 * @param searchedBytes of the binlog that were read to find where the stream begins, without what was read again
 * @param isShown whether the source has sent a new event, or has shown that it has none, since the connection was made
 * @param chunks that were read and are not in the store yet
 * @param put how many entries were put into the store so far
 * @param acked how many of them were acked
 * @param isFull whether the reader waits for room in the store
 * @param isHeld whether delivery is paused or waits for its rate
 * @param reader the stage that takes entries out of the store, and is blamed if it does not
 */
record ProgressSample(
        InstanceState state,
        long lagBytes,
        long receivedBytes,
        long events,
        long newEvents,
        long searchedBytes,
        boolean isShown,
        int chunks,
        long put,
        long acked,
        boolean isFull,
        boolean isHeld,
        Stage reader) {
    static ProgressSample of(Instance instance) {
        SourceProgress read = instance.sourceProgress();
        StoreLevel store = instance.storeLevel();
        return new ProgressSample(
                instance.state(),
                instance.lag().bytes(),
                read.receivedBytes(),
                read.events(),
                read.newEvents(),
                read.searchedBytes(),
                read.advanced(),
                read.chunks(),
                store.put(),
                store.acked(),
                !store.waiting().isZero(),
                instance.pace().isHolding() && store.got() == store.acked(),
                readerOf(instance.senderStatus()));
    }

    private static Stage readerOf(Optional<SenderStatus> sender) {
        if (sender.isEmpty()) {
            return Stage.CLIENTS;
        }
        SenderStatus status = sender.get();
        boolean waitsForBroker = !status.silence().isZero()
                || status.failuresInARow() > 0
                || status.state() == SenderState.SETTLING
                || status.state() == SenderState.BACKING_OFF;
        return waitsForBroker ? Stage.BROKER : Stage.SENDER;
    }
}
