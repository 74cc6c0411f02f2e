package io.sluice.server.tcp;

import io.netty.buffer.ByteBuf;

/** Takes the answer to one request: one of {@link #send}, {@link #sendAndClose} and {@link #silence} is called, once, by any thread. */
interface Reply {
    /** Whether the client is still there. Quick. */
    boolean isOpen();

    /** States that the answer waits for something, and what to run if the client goes before it comes. */
    void whenGone(Runnable task);

    /**
     * Answers.
     *
     * @param frame with its length in front; handed over
     * @param whenSent runs when the answer has left, or never will
     */
    void send(ByteBuf frame, Runnable whenSent);

    /** Answers, and closes the connection then; no further request of it is executed. */
    void sendAndClose(ByteBuf frame);

    /** Answers nothing, as the protocol asks for. */
    void silence();
}
