package io.sluice.bench.e2e;

import java.io.IOException;

/** Takes the rows out of a record. */
public interface RecordReader {
    /** Hands the rows of one record to {@code rows}; fails if it is no record of this form. */
    void read(byte[] record, ArrivedRows rows) throws IOException;

    static RecordReader of(Form form) {
        return switch (form) {
            case RAW -> new RawReader();
            case FLAT -> new FlatReader();
        };
    }
}
