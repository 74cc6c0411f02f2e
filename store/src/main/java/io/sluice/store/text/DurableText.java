package io.sluice.store.text;

import java.io.IOException;

/** A text that is kept over crashes and replaced as a whole. For one thread at a time. */
public interface DurableText {
    /** Where it is, for messages. */
    String location();

    /**
     * Returns the text.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws IOException if it cannot be read
     */
    String read() throws IOException;

    /**
     * Replaces the text, which is durable once this method returns. If it throws, or the process ends before it returns, the old text
     * is there, or the new one.
     *
     * @throws IOException if it cannot be written
     */
    void replace(String text) throws IOException;

    /**
     * Whether something else may have removed or replaced the text since it was read or replaced here, as far as that is seen without reading it. False if it was
     * not there then.
     */
    default boolean mayDiffer() {
        return false;
    }
}
