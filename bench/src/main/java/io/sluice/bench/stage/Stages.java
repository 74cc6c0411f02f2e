package io.sluice.bench.stage;

import java.io.IOException;

/** What carries a binlog to the sink, as long as it is open. */
interface Stages extends AutoCloseable {
    /**
     * How many rows were confirmed so far, of all instances.
     *
     * @throws IOException if it cannot go on
     */
    long rows() throws IOException;

    @Override
    void close() throws IOException;
}
