package io.sluice.schema.history;

/** What a snapshot tells beside the table schemas of its position. */
enum SnapshotKind {
    /** Nothing. */
    PLAIN,
    /** DDL before it may be missing. */
    BEGINNING,
    /** The stream came there from another binlog, where time told what is before it. */
    ARRIVAL
}
