package io.sluice.bench.broker;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.RequestHeader;

/**
 * The program of the broker, the only one of its cluster: a thread for each connection answers one request after the other. It
 * prints nothing but errors.
 */
public final class NullBroker {
    private static final int BACKLOG = 50;

    private NullBroker() {}

    /** Serves for ever. The arguments are the port of 127.0.0.1, and the port that clients are told. */
    public static void main(String[] arguments) throws IOException {
        Answers answers = new Answers(Integer.parseInt(arguments[1]));
        int port = Integer.parseInt(arguments[0]);
        try (ServerSocket listening = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress())) {
            while (true) {
                Socket client = listening.accept();
                new Thread(() -> serve(client, answers), "connection").start();
            }
        }
    }

    private static void serve(Socket client, Answers answers) {
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
                answer(ByteBuffer.wrap(request, 0, length), answers, client.getOutputStream());
            }
        } catch (IOException e) {
            // the client has closed the connection
        }
    }

    private static void answer(ByteBuffer bytes, Answers answers, OutputStream out) throws IOException {
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
}
