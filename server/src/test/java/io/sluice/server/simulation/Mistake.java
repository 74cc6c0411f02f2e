package io.sluice.server.simulation;

/** A mistake that was made once, and that the simulation must find. */
enum Mistake {
    NONE,
    /** A DDL within a transaction counts as a transaction boundary, with a GTID set that includes its own transaction. */
    RESTARTS_AFTER_INNER_DDL,
    /** A cursor beyond the end of the schema history is used. */
    BELIEVES_A_HISTORY_WITHOUT_ITS_TAIL,
    /** A cursor that was moved is assumed to be where the schema history ends. */
    BELIEVES_A_MOVED_CURSOR,
    /** The position where the stream begins is not stored until something is acknowledged. */
    KEEPS_NO_FIRST_POSITION,
    /** A lease is renewed by a read, which a follower of the coordinator that is cut off answers, too. */
    RENEWS_LEASES_BY_READS,
    /** A table filter of a client that takes too long is in force again after each restart. */
    KEEPS_AN_EXPENSIVE_FILTER,
    /** A client that has acked nothing has no cursor, and the stream is read from the smallest of the others. */
    LEAVES_OUT_CLIENTS_WITHOUT_A_CURSOR,
    /** A dump counts as a success as soon as its format description has come. */
    SUCCEEDS_AT_THE_FORMAT_DESCRIPTION,
    /** After a fail-over by time the cursor stays where it was until what comes again is acknowledged. */
    KEEPS_THE_CURSOR_WHEN_THE_STREAM_GOES_BACK
}
