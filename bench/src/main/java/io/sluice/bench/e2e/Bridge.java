package io.sluice.bench.e2e;

import java.io.IOException;

/** A program that carries changes from MySQL to Kafka. */
public interface Bridge {
    /** As reports call it. */
    String name();

    /**
     * Does once what an operator's server has behind it; nothing of that is measured.
     *
     * @param job something to carry; its folder is used again for the first job that is measured
     */
    default void prepare(BridgeJob job) throws IOException, InterruptedException {}

    /**
     * Starts it.
     *
     * @return the id of the process to be measured
     * @throws UnsupportedCellException if it cannot do what the job's cell asks for; it does not run then
     */
    long start(BridgeJob job) throws IOException;

    /** Reads the records of the job that was started last. */
    default RecordReader reader(BridgeJob job) {
        return RecordReader.of(job.form());
    }

    /** Ends it, and returns when it is gone; does nothing if it does not run. */
    void stop(BridgeJob job) throws IOException;

    /** What it said that may explain a failure. */
    String complaints(BridgeJob job) throws IOException;
}
