package io.sluice.mysql.wire.query;

import java.io.IOException;

/** Receives the rows of an answer one after the other. */
@FunctionalInterface
public interface RowTaker {
    /**
     * Takes a row.
     *
     * @throws IOException if no more are to be read; the connection is closed then
     */
    void take(QueryResult.Row row) throws IOException;
}
