package io.sluice.bench.broker;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * A broker that acknowledges at once and keeps nothing, on a free port of 127.0.0.1. A daemon thread for each connection answers one
 * request after the other.
 */
public final class NullBroker implements AutoCloseable {
    private static final int BACKLOG = 50;

    private final Map<String, List<Partition>> topics = new ConcurrentHashMap<>();
    private final List<String> errors = new CopyOnWriteArrayList<>();
    private final ServerSocket listening;
    private final Answers answers;

    /**
     * Starts it.
     *
     * @param advertised the port to which its clients are sent, such as a proxy's; 0 for its own
     */
    public NullBroker(int advertised) {
        try {
            listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers = new Answers(advertised == 0 ? port() : advertised, topics, errors);
        start(() -> {
            while (true) {
                Socket client = listening.accept();
                start(() -> serve(client));
            }
        });
    }

    /** What a thread does until its socket is closed. */
    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // closed by this broker or a client
                    }
                },
                "null-broker");
        thread.setDaemon(true);
        thread.start();
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** Creates a topic. */
    public void create(String topic, int partitions) {
        topics.put(topic, Stream.generate(Partition::new).limit(partitions).toList());
    }

    /** Deletes a topic. */
    public void delete(String topic) {
        topics.remove(topic);
    }

    /** What the partitions of a topic have received; none if there is no such topic. */
    public List<Partition> partitions(String topic) {
        return topics.getOrDefault(topic, List.of());
    }

    /** What was rejected: batches whose sequence numbers are out of order. */
    public List<String> errors() {
        return errors;
    }

    private void serve(Socket client) throws IOException {
        try (client) {
            client.setTcpNoDelay(true);
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            byte[] request = new byte[0];
            while (true) {
                int length = in.readInt();
                if (length > request.length) {
                    request = new byte[length];
                }
                in.readFully(request, 0, length);
                answer(ByteBuffer.wrap(request, 0, length), client.getOutputStream());
            }
        }
    }

    private void answer(ByteBuffer bytes, OutputStream out) throws IOException {
        RequestHeader header = RequestHeader.parse(bytes);
        AbstractRequest request = AbstractRequest.parseRequest(
                        header.apiKey(), header.apiVersion(), new ByteBufferAccessor(bytes))
                .request;
        ApiMessage answer = answers.to(request);
        ByteBuffer head = MessageUtil.toByteBufferAccessor(
                        header.toResponseHeader().data(),
                        header.toResponseHeader().headerVersion())
                .buffer();
        ByteBuffer body =
                MessageUtil.toByteBufferAccessor(answer, header.apiVersion()).buffer();
        int length = head.remaining() + body.remaining();
        out.write(ByteBuffer.allocate(Integer.BYTES + length)
                .putInt(length)
                .put(head)
                .put(body)
                .array());
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
