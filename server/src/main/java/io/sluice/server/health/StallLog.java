package io.sluice.server.health;

import io.sluice.server.instance.InstanceState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when one instance makes no progress though it has work, and when it does again. For one thread. */
final class StallLog {
    private static final Logger LOG = LoggerFactory.getLogger(StallLog.class);

    private @Nullable Stage logged;

    /**
     * Takes the result of a sample.
     *
     * @param stall that lasts; null if there is none
     */
    void add(String name, InstanceState state, @Nullable Stall stall) {
        Stage before = logged;
        Stage stage = stall == null ? null : stall.stage();
        if (stage == before) {
            return;
        }
        logged = stage;
        if (stall != null) {
            begin(name, stall);
        } else if (before != null && !isEnding(state)) {
            LOG.warn("instance is making progress again: instance={} stalled_stage={}", name, before.spelling());
        }
    }

    /** Whether it reads nothing more, so that the end of a stall is no progress. */
    private static boolean isEnding(InstanceState state) {
        return switch (state) {
            case NEW, CONNECTING, RUNNING, RETRYING -> false;
            case FAILED, STOPPING, STOPPED -> true;
        };
    }

    private static void begin(String name, Stall stall) {
        if (stall.stage() == Stage.CLIENTS) {
            LOG.info(
                    "no progress while there is work: instance={} stage={} seconds={} meaning={}",
                    name,
                    stall.stage().spelling(),
                    stall.lasting().toSeconds(),
                    stall.stage().meaning());
        } else {
            LOG.error(
                    "no progress while there is work: instance={} stage={} seconds={} meaning={}",
                    name,
                    stall.stage().spelling(),
                    stall.lasting().toSeconds(),
                    stall.stage().meaning());
        }
    }
}
