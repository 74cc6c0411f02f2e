package io.sluice.bench.record;

import java.io.IOException;

/** Reads the row changes of a record. */
public interface RecordReader {
    /** Adds the row changes of a record to {@code rows}; fails if the record does not have this format. */
    void read(byte[] record, ArrivedRows rows) throws IOException;

    /** Returns a reader for what a Sluice or canal server writes. */
    static RecordReader of(Format format) {
        return switch (format) {
            case RAW -> new RawReader();
            case FLAT -> new FlatReader();
            case DEBEZIUM -> new EnvelopeReader(EnvelopeReader.Dialect.DEBEZIUM);
        };
    }
}
