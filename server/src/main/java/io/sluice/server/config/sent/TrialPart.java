package io.sluice.server.config.sent;

/** What an instance needs, and is tried for itself. */
public enum TrialPart {
    /** The MySQL servers that it may read. */
    SOURCE,
    /** Where it delivers. */
    BROKER,
    /** What servers share their instances through. */
    ZOOKEEPER
}
