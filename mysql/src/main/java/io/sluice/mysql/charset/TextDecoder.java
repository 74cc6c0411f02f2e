package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;

/** Turns the bytes of one character set into UTF-8. Has no state, so that all threads may share it. */
public interface TextDecoder {
    /**
     * Appends the text in UTF-8; what is not a character of the set becomes U+FFFD.
     *
     * @param offset where the text begins in {@code source}
     * @param length how many bytes of {@code source} it takes
     */
    void decode(byte[] source, int offset, int length, ByteWriter utf8Out);

    /** Whether the set's well-formed bytes are UTF-8 already. */
    boolean isUtf8();
}
