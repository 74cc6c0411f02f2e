package io.sluice.connector.api;

import io.sluice.format.entry.ImageEntry;
import io.sluice.protocol.bytes.ByteWriter;

/** An entry of tests that is a text in every format. */
public interface TextForm extends ImageEntry {
    /** Appends the text. */
    void writeText(ByteWriter out);
}
