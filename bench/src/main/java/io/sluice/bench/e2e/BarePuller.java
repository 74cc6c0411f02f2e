package io.sluice.bench.e2e;

import com.google.protobuf.ByteString;
import io.sluice.protocol.packet.ClientAck;
import io.sluice.protocol.packet.ClientAuth;
import io.sluice.protocol.packet.Get;
import io.sluice.protocol.packet.Packet;
import io.sluice.protocol.packet.PacketType;
import io.sluice.protocol.packet.Sub;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Pulls as fast as it goes, and looks at nothing but the last batch's end, until a certain word has come. Prints
 * {@code 0 0 <batches> <milliseconds from the first batch to the last>}: what the server and the network can do.
 */
public final class BarePuller {
    private final DataInputStream in;
    private final DataOutputStream out;

    private BarePuller(Socket socket) throws IOException {
        in = new DataInputStream(socket.getInputStream());
        out = new DataOutputStream(socket.getOutputStream());
    }

    /** Arguments: port, destination, size of a batch, the last word. */
    public static void main(String[] args) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]))) {
            new BarePuller(socket)
                    .pull(args[1], Integer.parseInt(args[2]), args[3].getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void pull(String destination, int size, byte[] word) throws IOException {
        read(); // the greeting
        send(PacketType.CLIENTAUTHENTICATION, ClientAuth.getDefaultInstance().toByteArray());
        read();
        send(
                PacketType.SUBSCRIPTION,
                Sub.newBuilder()
                        .setDestination(destination)
                        .setClientId("1001")
                        .build()
                        .toByteArray());
        read();
        byte[] get = Get.newBuilder()
                .setDestination(destination)
                .setClientId("1001")
                .setFetchSize(size)
                .setTimeout(100)
                .setUnit(2)
                .build()
                .toByteArray();
        long batches = 0;
        long begin = 0;
        for (boolean ended = false; !ended; ) {
            send(PacketType.GET, get);
            byte[] frame = read();
            long id = batchId(frame);
            if (id > 0) {
                begin = begin == 0 ? System.nanoTime() : begin;
                batches++;
                send(
                        PacketType.CLIENTACK,
                        ClientAck.newBuilder()
                                .setDestination(destination)
                                .setClientId("1001")
                                .setBatchId(id)
                                .build()
                                .toByteArray());
                ended = endsWith(frame, word);
            }
        }
        System.out.println("0 0 " + batches + " " + (System.nanoTime() - begin) / 1_000_000);
    }

    private byte[] read() throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    private void send(PacketType type, byte[] body) throws IOException {
        byte[] packet = Packet.newBuilder()
                .setType(type)
                .setBody(ByteString.copyFrom(body))
                .build()
                .toByteArray();
        out.write(ByteBuffer.allocate(4 + packet.length)
                .putInt(packet.length)
                .put(packet)
                .array());
    }

    /** Of a packet of raw entries: {@code 18 07 2a <length> 08 <id>}; below 1 of one without entries. */
    private static long batchId(byte[] frame) {
        if (frame[0] != 0x18) {
            return -1;
        }
        int at = 3;
        while (frame[at] < 0) {
            at++;
        }
        at += 2;
        long id = 0;
        for (int shift = 0; ; shift += 7) {
            id |= (long) (frame[at] & 0x7f) << shift;
            if (frame[at++] >= 0) {
                return id;
            }
        }
    }

    /** Whether a word stands in the last two KiB. */
    private static boolean endsWith(byte[] frame, byte[] word) {
        for (int at = Math.max(0, frame.length - 2048); at + word.length <= frame.length; at++) {
            if (Arrays.equals(frame, at, at + word.length, word, 0, word.length)) {
                return true;
            }
        }
        return false;
    }
}
