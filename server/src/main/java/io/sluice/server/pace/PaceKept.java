package io.sluice.server.pace;

import java.util.Locale;

/** How long what an operator has set for the delivery of an instance holds. */
public enum PaceKept {
    /** Until the process ends. */
    PROCESS,
    /** On this server, also when its process is started again. */
    FILE,
    /** On every server of the cluster that takes the instance over. */
    CLUSTER;

    /** As JSON spells it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
