package io.sluice.server.config;

/** Which partitions of its topic a DDL goes to: {@code canal.mq.ddl.partition}. */
public enum DdlPartition {
    /** The first, as canal does. */
    FIRST,
    /** Every one, so that no reader of a partition misses it. */
    ALL
}
