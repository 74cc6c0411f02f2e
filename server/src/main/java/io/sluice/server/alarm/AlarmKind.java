package io.sluice.server.alarm;

import java.util.Locale;

/** The kinds of problems that alarms are raised for. */
public enum AlarmKind {
    /** The instance cannot continue. */
    FAILED("the instance has failed"),
    /** It has work and makes no progress; that clients do not come is no reason. */
    STALLED("the instance makes no progress"),
    /** Its newest configuration is not in force, since something is wrong with it. */
    CONFIGURATION_REFUSED("a changed configuration is not in force"),
    /** Its source cannot be read. */
    SOURCE_LOST("the source cannot be read"),
    /** Its broker does not take messages. */
    BROKER_LOST("the broker does not take messages"),
    /** Its cursor has not been written for some minutes: a restart would deliver again what was delivered since. */
    CURSOR_NOT_WRITTEN("the cursor is not written"),
    /** Another server of the cluster has its address. */
    ADDRESS_SHARED("another server has the same address"),
    /** There is none: an operator tests the alarms. */
    TEST("this is a test");

    private final String title;

    AlarmKind(String title) {
        this.title = title;
    }

    /** What it means, as the beginning of a sentence. */
    public String title() {
        return title;
    }

    /** As JSON spells it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is raised only when it has lasted for a while, unless that is certain: most connections come back by themselves. */
    boolean isLoss() {
        return this == SOURCE_LOST || this == BROKER_LOST;
    }
}
