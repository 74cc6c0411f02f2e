package io.sluice.connector.rabbitmq;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.testkit.proxy.ForwardingProxy;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** A proxy in front of a broker that knows the frames of its answers. It can put other words into them, hold back what clients send after one of them, and make one answer to messages of several. */
final class FrameProxy extends ForwardingProxy {
    private static final int BUFFER_BYTES = 64 * 1024;

    /** Type, channel and length. */
    private static final int HEAD_BYTES = 7;

    private static final int LENGTH_OFFSET = 3;
    private static final int METHOD_FRAME = 1;

    /** Class and method of {@code basic.return}. */
    private static final int RETURN = 60 << 16 | 50;

    /** Classes and methods of {@code basic.ack} and {@code basic.nack}. */
    static final int ACK = 60 << 16 | 80;

    static final int NACK = 60 << 16 | 120;

    private static final int TAG_OFFSET = 4;

    /** The length of an answer to messages: class and method, the tag, and the bits. */
    private static final int ANSWER_BYTES = 13;

    private static final byte MULTIPLE = 1;
    private static final byte END_OF_FRAME = (byte) 0xCE;

    /** With "no such queue or exchange" in a {@code channel.close} as the key, and "a right is missing" as the value: RabbitMQ 4.2.6 looks at the rights first. */
    static final Map<String, String> FORBIDS_QUESTIONS = Map.of("\0\24\0\50\1\224", "\0\24\0\50\1\223");

    private final Map<String, String> words;
    private final Map<String, String> requests;
    private final Set<String> reworded = ConcurrentHashMap.newKeySet();
    private final Object changing = new Object();

    @GuardedBy("changing") private boolean holdsAfterReturn;

    @GuardedBy("changing") private boolean isHolding;

    /** Where what is merged goes; null if nothing is. */
    @GuardedBy("changing") private @Nullable OutputStream mergedTo;

    /** What the broker has sent on channels, but for its answers to messages. */
    @GuardedBy("changing") private final ByteArrayOutputStream merged = new ByteArrayOutputStream();

    @GuardedBy("changing") private boolean isMerging;

    /** The newest answer to messages that was left out. */
    @GuardedBy("changing") private long answeredTag;

    @GuardedBy("changing") private short answeredChannel;

    @GuardedBy("changing") private int returns;

    /**
     * Listens on a free port; the server's is asked for each connection.
     *
     * @param words those of the broker, and as many letters that are put in their place
     */
    FrameProxy(IntSupplier serverPort, Map<String, String> words) {
        this(serverPort, words, Map.of());
    }

    /** @param requests words of clients, and as many letters that are put in their place */
    FrameProxy(IntSupplier serverPort, Map<String, String> words, Map<String, String> requests) {
        this(anyPort(), serverPort, words, requests);
    }

    /** Listens at an address, with any port if it is 0. */
    FrameProxy(
            InetSocketAddress address,
            IntSupplier serverPort,
            Map<String, String> words,
            Map<String, String> requests) {
        super(address, serverPort, BUFFER_BYTES);
        this.words = words;
        this.requests = requests;
        start();
    }

    /** Which of the broker's words have come. */
    Set<String> reworded() {
        return Set.copyOf(reworded);
    }

    /** Holds back what clients send after the next message that the broker returns. */
    void holdAfterReturn() {
        synchronized (changing) {
            holdsAfterReturn = true;
        }
    }

    /** Holds back what the broker sends on the channels of a connection, and leaves out its answers to messages, until {@link #answerAtOnce}. */
    void merge() {
        synchronized (changing) {
            isMerging = true;
        }
    }

    /** Up to which message the broker has answered since then, by its number on its channel. */
    long answered() {
        synchronized (changing) {
            return answeredTag;
        }
    }

    /** How many messages the broker has returned since then. */
    int returned() {
        synchronized (changing) {
            return returns;
        }
    }

    /** Forwards what was held back, and one answer to all messages, as the broker sends when it has much to answer. */
    void answerAtOnce(int method) throws IOException {
        synchronized (changing) {
            isMerging = false;
            merged.write(ByteBuffer.allocate(HEAD_BYTES + ANSWER_BYTES + 1)
                    .put((byte) METHOD_FRAME)
                    .putShort(answeredChannel)
                    .putInt(ANSWER_BYTES)
                    .putInt(method)
                    .putLong(answeredTag)
                    .put(MULTIPLE)
                    .put(END_OF_FRAME)
                    .array());
            Objects.requireNonNull(mergedTo).write(merged.toByteArray());
        }
    }

    /** Returns whether a frame is held back, or left out. */
    private boolean isMerged(byte[] head, byte[] rest, OutputStream out) {
        short channel = ByteBuffer.wrap(head).getShort(1);
        synchronized (changing) {
            if (!isMerging || channel == 0) {
                return false;
            }
            mergedTo = out;
            int method = head[0] == METHOD_FRAME ? ByteBuffer.wrap(rest).getInt() : 0;
            if (method == ACK || method == NACK) {
                answeredTag = Math.max(answeredTag, ByteBuffer.wrap(rest).getLong(TAG_OFFSET));
                answeredChannel = channel;
                return true;
            }
            returns += method == RETURN ? 1 : 0;
            merged.writeBytes(head);
            merged.writeBytes(rest);
            return true;
        }
    }

    /** Forwards what was held. */
    void release() {
        synchronized (changing) {
            holdsAfterReturn = false;
            isHolding = false;
            changing.notifyAll();
        }
    }

    @Override
    protected void forward(Socket client, Socket server) throws IOException {
        run(() -> {
            OutputStream out = server.getOutputStream();
            pump(client, server, (bytes, length) -> {
                awaitRelease();
                out.write(reword(Arrays.copyOf(bytes, length), requests));
                return true;
            });
        });
        try {
            forwardFrames(new DataInputStream(server.getInputStream()), client.getOutputStream());
        } finally {
            end(client);
            end(server);
        }
    }

    private void awaitRelease() throws InterruptedException {
        synchronized (changing) {
            while (isHolding) {
                changing.wait();
            }
        }
    }

    private void forwardFrames(DataInputStream in, OutputStream out) throws IOException {
        while (true) {
            byte[] head = new byte[HEAD_BYTES];
            in.readFully(head);
            byte[] rest = new byte[ByteBuffer.wrap(head).getInt(LENGTH_OFFSET) + 1];
            in.readFully(rest);
            if (head[0] == METHOD_FRAME && ByteBuffer.wrap(rest).getInt() == RETURN) {
                noteReturn();
            }
            if (!isMerged(head, rest, out)) {
                out.write(head);
                out.write(reword(rest, words));
            }
        }
    }

    private void noteReturn() {
        synchronized (changing) {
            isHolding |= holdsAfterReturn;
        }
    }

    private byte[] reword(byte[] bytes, Map<String, String> replaced) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        for (Map.Entry<String, String> word : replaced.entrySet()) {
            if (text.contains(word.getKey())) {
                reworded.add(word.getKey());
                text = text.replace(word.getKey(), word.getValue());
            }
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
        super.close();
        release();
    }
}
