package io.sluice.bench.bridge;

import io.sluice.bench.record.RecordReader;
import java.io.IOException;

/** A program that carries changes from MySQL to Kafka: a package of Sluice, or another product behind a {@link PeerScript}. */
public interface Bridge {
    /** The name in reports, unique in a run of the bench. */
    String name();

    /**
     * Prepares the bridge once, before its first run; this is not measured.
     *
     * @param job a job to carry; its folder is used again by the first run
     */
    default void prepare(BridgeJob job) throws IOException, InterruptedException {}

    /**
     * Starts the bridge.
     *
     * @return the id of the process to be measured
     * @throws UnsupportedCellException if the bridge does not support the job's cell; it is not running then
     */
    long start(BridgeJob job) throws IOException;

    /** Returns a reader for the records of the job that was started last. */
    default RecordReader reader(BridgeJob job) {
        return RecordReader.of(job.format());
    }

    /** The number of rows that the broker has acknowledged, as the running bridge counts them. */
    default long ackedRows() throws IOException {
        throw new UnsupportedOperationException(name() + " does not count rows");
    }

    /** Bridges of one family write the same text for the same column value, so their fingerprints are compared. */
    default String family() {
        return name();
    }

    /** Stops the bridge and waits until its process has ended; does nothing if it is not running. */
    void stop(BridgeJob job) throws IOException;

    /** The last lines of the bridge's logs, to explain a failure. */
    String logTail(BridgeJob job) throws IOException;
}
