package io.sluice.connector.stdout;

import java.io.IOException;

/** The destination of lines. Thread-safe; a line is never torn by another. */
interface LineSink {
    /**
     * Hands a line to the system, in full.
     *
     * @throws IOException if that fails, with the file in its message; nothing of the line is there then, where the file
     *     allows that
     */
    void write(byte[] line) throws IOException;

    /** Frees what it holds; a later write opens it again. */
    void close();
}
