package io.sluice.connector.api.convert;

/** The partition of DDL in a topic whose rows are spread over partitions. */
public enum DdlPartition {
    /** To partition 0. */
    FIRST,
    /** To each of the partitions that the rules know of. */
    ALL
}
