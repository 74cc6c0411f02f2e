package io.sluice.server.metrics;

import io.sluice.store.ring.StoreStats;
import io.sluice.stream.source.watch.Lag;

/**
 * How old the oldest change is that has not passed a stage, in milliseconds; 0 if there is none. So an idle instance has no
 * delay, where canal's grows. Each is at least that of the stage before.
 *
 * @param traffic not read from the source
 * @param put not in the store
 * @param get not handed out
 * @param ack not acked
 */
record Delays(long traffic, long put, long get, long ack) {
    /**
     * Makes them.
     *
     * @param lastReadMillis when the newest event was written that was read; 0 before the first
     * @param isPassing whether changes were read that are not in the store
     * @param madeMillis when the instance was made, from where an instance that reads nothing counts
     */
    static Delays of(
            Lag lag, long lastReadMillis, boolean isPassing, StoreStats store, long madeMillis, long nowMillis) {
        long traffic = lag.bytes() == 0 ? 0 : age(lastReadMillis == 0 ? madeMillis : lastReadMillis, nowMillis);
        if (lag.bytes() > 0 && lag.seconds() >= 0) {
            traffic = lag.seconds() * 1000; // by the source's clock
        }
        long lastPut = store.put().lastTimeMillis();
        long put = isPassing && lastPut != 0 ? Math.max(traffic, age(lastPut, nowMillis)) : traffic;
        long get = Math.max(put, age(store.oldestToGetMillis(), nowMillis));
        long ack = Math.max(get, age(store.oldestToAckMillis(), nowMillis));
        return new Delays(traffic, put, get, ack);
    }

    private static long age(long millis, long nowMillis) {
        return millis == 0 ? 0 : Math.max(0, nowMillis - millis);
    }
}
