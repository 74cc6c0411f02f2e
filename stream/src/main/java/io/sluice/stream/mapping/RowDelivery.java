package io.sluice.stream.mapping;

/** Which rows of the tables that pass the filter are delivered, and so whether these tables need a schema. */
public enum RowDelivery {
    /** All; a row that matches no schema of its table stops the stream. */
    ALL,
    /** The rows that match a schema of their table; others are skipped, counted and logged. */
    MATCHING,
    /** None: no table needs a schema. */
    NONE
}
