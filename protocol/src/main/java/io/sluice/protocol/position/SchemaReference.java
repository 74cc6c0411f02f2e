package io.sluice.protocol.position;

/**
 * The row of a schema history that a cursor relies on: with all rows up to it, the schemas at the cursor are known.
 *
 * @param historyId the identity of the history, which is made when the history is; not empty
 * @param rowId the newest row that was written or restored before the cursor; 0 if there was none
 * @param completeTo the position up to which this is all DDL of the binlog: that of the cursor, or an earlier one if the
 *     cursor was moved by an operator; {@link BinlogPosition#UNKNOWN} if it was moved to another server
 */
public record SchemaReference(String historyId, long rowId, BinlogPosition completeTo) {}
