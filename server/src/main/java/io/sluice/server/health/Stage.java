package io.sluice.server.health;

import java.util.Locale;

/** A part of an instance where work can wait, in the order in which changes pass them. */
public enum Stage {
    /** It cannot be reached, or ends each connection before it has sent something new; or where to begin, and the table schemas, take long to find. */
    SOURCE("nothing is read from the source: its last error, or what the start is busy with, is in the instance's log"),
    /** There is more binlog, and it does not come; or heartbeats only, while the lag grows. */
    READER("the source has more binlog, and nothing comes: check the network, and SHOW PROCESSLIST on the source"),
    /** Changes were read and do not reach the store. */
    ENCODERS("changes that were read do not reach the store: take a thread dump with jstack"),
    /** The store has entries, and the sender does not get ahead though the broker does not keep it. */
    SENDER("the sender does not get ahead: take a thread dump with jstack"),
    /** The broker does not answer, or rejects. */
    BROKER("the broker does not take messages: its last error is in the instance's log"),
    /** Clients that pull do not come, or do not ack. That is their decision, so an instance that waits for them is well. */
    CLIENTS("clients do not pull, or do not ack what they have pulled");

    private final String meaning;

    Stage(String meaning) {
        this.meaning = meaning;
    }

    /** What it means, and what to check. */
    public String meaning() {
        return meaning;
    }

    /** As metrics and JSON spell it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
