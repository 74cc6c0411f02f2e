package io.sluice.mysql.wire.packet;

import io.sluice.mysql.wire.error.MalformedPacketException;
import io.sluice.mysql.wire.error.PacketTooLargeException;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;

/**
 * Splits the byte stream of a connection into packets, and puts large ones together.
 *
 * <pre>
 *   0        3     4
 *   +--------+-----+----------------------+
 *   | length | seq | payload              |
 *   | u24 LE | u8  | length bytes         |
 *   +--------+-----+----------------------+
 * </pre>
 *
 * <p>A payload of 2^24-1 bytes or more goes as several packets: full ones, and a last one that is shorter and may be
 * empty. Sequence numbers count all packets of one exchange in both directions, wrap after 255, and are checked. Page
 * <em>MySQL Packets</em> of MySQL's source code documentation.
 *
 * <p>A packet's bytes go from the read buffer to the caller's {@link ByteWriter} in one copy, and a part that is larger
 * than the read buffer is read into it directly. The writer grows with the bytes that arrive, not with the length that a
 * packet claims. For one thread.
 *
 * <p>What waits or sends throws {@link EOFException} if the server has closed the connection, {@link
 * MalformedPacketException} if a packet is out of sequence or beyond the limit, and any other {@link IOException} of the streams. Where in
 * the byte stream the channel is, is then unknown.
 */
public final class PacketChannel {
    /** The longest payload of a single packet; one that long is followed by another packet. */
    static final int MAX_PART_BYTES = 0xFF_FFFF;

    private static final int HEADER_BYTES = 4;
    private static final int INITIAL_BUFFER_BYTES = 16 * 1024;

    /** How much of a payload is copied, to be sent together with the header. */
    private static final int SENT_WITH_HEADER_BYTES = 64 * 1024;

    /** Far more than an error packet has. */
    private static final int MAX_FAREWELL_BYTES = 4 * 1024;

    private InputStream in;
    private OutputStream out;
    private byte[] buffer = new byte[INITIAL_BUFFER_BYTES];
    private int start; // of the bytes in the buffer that were not read yet
    private int end;
    private int sequence; // of the next packet, in either direction
    private int maximumBytes;

    /** Of a payload that is received in pieces: how long it is so far, and of its open packet what is left, and whether another follows. */
    private long restTotal;

    private int restOfPart;
    private boolean restGoesOn;

    /** Makes a channel that takes payloads of up to {@code maximumBytes}, over streams that stay the caller's to close. */
    public PacketChannel(InputStream in, OutputStream out, int maximumBytes) {
        this.in = in;
        this.out = out;
        this.maximumBytes = maximumBytes;
    }

    /** Changes the largest payload that is taken, in bytes. */
    public void limitTo(int bytes) {
        maximumBytes = bytes;
    }

    /** Makes the read buffer at least as large as {@code bytes}, to get more with each read. */
    public void growBuffer(int bytes) {
        if (bytes > buffer.length) {
            buffer = Arrays.copyOf(buffer, bytes);
        }
    }

    /**
     * Continues over other streams, those of TLS, within the same exchange.
     *
     * @throws MalformedPacketException if plain bytes wait to be read: they were injected before the TLS handshake
     */
    public void switchTo(InputStream newIn, OutputStream newOut) throws MalformedPacketException {
        requireNothingBuffered();
        in = newIn;
        out = newOut;
    }

    /**
     * Fails if the server sent something that was not requested.
     *
     * @throws MalformedPacketException if bytes wait in the read buffer
     */
    public void requireNothingBuffered() throws MalformedPacketException {
        if (start != end) {
            throw new MalformedPacketException("server sent %d bytes out of turn".formatted(end - start));
        }
    }

    /** Starts a new exchange, which the client opens. */
    public void newExchange() {
        sequence = 0;
    }

    /**
     * Sends a payload, which may be empty, in as many packets as it needs.
     *
     * @throws IOException if the connection fails
     */
    public void send(byte[] payload) throws IOException {
        int at = 0;
        int length;
        do {
            length = Math.min(payload.length - at, MAX_PART_BYTES);
            byte[] packet = new byte[HEADER_BYTES + Math.min(length, SENT_WITH_HEADER_BYTES)];
            packet[0] = (byte) length;
            packet[1] = (byte) (length >>> 8);
            packet[2] = (byte) (length >>> 16);
            packet[3] = (byte) sequence;
            sequence = (sequence + 1) & 0xFF;
            int first = packet.length - HEADER_BYTES;
            System.arraycopy(payload, at, packet, HEADER_BYTES, first);
            out.write(packet); // header and payload at once: two small writes would wait for each other's ACK
            out.write(payload, at + first, length - first);
            at += length;
        } while (length == MAX_PART_BYTES);
        out.flush();
    }

    /**
     * Waits for a whole payload and receives it into {@code to}, replacing what it held.
     *
     * @return a reader of the bytes in {@code to}: valid until that changes
     * @throws IOException as the class describes
     */
    public Payload receive(ByteWriter to) throws IOException {
        to.clear();
        int length = receiveHeader();
        receiveRest(length, length, to);
        return new Payload(to.array(), 0, to.size());
    }

    /**
     * Waits for the next packet's header, and returns the length of its payload: 0 to 2^24-1 bytes.
     *
     * @throws IOException as the class describes
     */
    public int receiveHeader() throws IOException {
        if (end - start < HEADER_BYTES) {
            fill(HEADER_BYTES, false);
        }
        byte[] from = buffer;
        int at = start;
        int length = (from[at] & 0xFF) | (from[at + 1] & 0xFF) << 8 | (from[at + 2] & 0xFF) << 16;
        int received = from[at + 3] & 0xFF;
        if (received != sequence) {
            throw outOfSequence(length, received);
        }
        if (length > maximumBytes) {
            throw tooLarge(length);
        }
        sequence = (sequence + 1) & 0xFF;
        start = at + HEADER_BYTES;
        return length;
    }

    /**
     * A server that ends a session which was idle too long sends an error before it closes the connection, as MySQL does from 8.0.24 on. It has the first number of an
     * exchange, since it answers nothing, and is read in place of the answer to the next command.
     */
    private IOException outOfSequence(int length, int received) throws IOException {
        if (received == 0 && sequence == 1 && length > 0 && length <= MAX_FAREWELL_BYTES) {
            start += HEADER_BYTES;
            ByteWriter farewell = new ByteWriter(length);
            copy(length, farewell);
            Payload payload = new Payload(farewell.array(), 0, farewell.size());
            if (payload.peek() == ErrorPacket.HEADER) {
                ErrorPacket error = ErrorPacket.decode(payload);
                return new EOFException("server closed the connection: server error %d (%s): %s"
                        .formatted(error.errno(), error.sqlState(), error.message()));
            }
        }
        return new MalformedPacketException("packet has sequence number %d, expected %d".formatted(received, sequence));
    }

    /**
     * Waits for one byte of a packet whose header was read, as 0 to 255. The caller knows that the packet has one more.
     *
     * @throws IOException as the class describes
     */
    public int receiveByte() throws IOException {
        if (start == end) {
            fill(1, true);
        }
        return buffer[start++] & 0xFF;
    }

    /**
     * Appends what is left of a packet, and the packets that continue it, to {@code to}.
     *
     * @param length what {@link #receiveHeader} gave
     * @param unread how much of it is still to be read
     * @throws IOException as the class describes
     */
    public void receiveRest(int length, int unread, ByteWriter to) throws IOException {
        copy(unread, to);
        long total = length;
        int part = length;
        while (part == MAX_PART_BYTES) {
            part = receiveHeader();
            total += part;
            if (total > maximumBytes) {
                throw tooLarge(total);
            }
            copy(part, to);
        }
    }

    /**
     * Appends the first bytes of a packet whose header was read, and leaves the others for {@link #receiveSome}.
     *
     * @param length what {@link #receiveHeader} gave
     * @param unread how much of it is still to be read
     * @param first how many bytes to append, at most {@code unread}
     * @throws IOException as the class describes
     */
    public void receiveFirst(int length, int unread, int first, ByteWriter to) throws IOException {
        copy(first, to);
        restTotal = length;
        restOfPart = unread - first;
        restGoesOn = length == MAX_PART_BYTES;
        openPart();
    }

    /** Whether a payload was begun, and not received to its end. */
    public boolean hasRest() {
        return restOfPart > 0;
    }

    /**
     * Waits for more of the open payload.
     *
     * @param most how many bytes to take into {@code to} from index {@code at} on, 1 or more
     * @return how many bytes were received, at least 1; −1 at the payload's end
     * @throws IOException as the class describes
     */
    public int receiveSome(byte[] to, int at, int most) throws IOException {
        if (restOfPart == 0) {
            return -1;
        }
        int count = Math.min(most, restOfPart);
        int buffered = end - start;
        if (buffered > 0) {
            count = Math.min(count, buffered);
            System.arraycopy(buffer, start, to, at, count);
            start += count;
        } else {
            count = in.read(to, at, count);
            if (count < 0) {
                throw closed(true);
            }
        }
        restOfPart -= count;
        openPart();
        return count;
    }

    /**
     * Receives and discards the rest of the open payload; does nothing if none is open.
     *
     * @throws IOException as the class describes
     */
    public void passRest() throws IOException {
        while (restOfPart > 0) {
            if (start == end) {
                fill(1, true);
            }
            int count = Math.min(restOfPart, end - start);
            start += count;
            restOfPart -= count;
            openPart();
        }
    }

    /**
     * Goes to the next packet of a payload as soon as the one before is read, so that nothing is left after the last byte also if
     * an empty packet ends the payload. The server sends them together, so that it hardly waits.
     */
    private void openPart() throws IOException {
        while (restOfPart == 0 && restGoesOn) {
            int part = receiveHeader();
            restTotal += part;
            if (restTotal > maximumBytes) {
                throw tooLarge(restTotal);
            }
            restOfPart = part;
            restGoesOn = part == MAX_PART_BYTES;
        }
    }

    private void copy(int length, ByteWriter to) throws IOException {
        int buffered = end - start;
        if (length <= buffered) {
            to.write(buffer, start, length);
            start += length;
            return;
        }
        to.write(buffer, start, buffered);
        start = end;
        int missing = length - buffered;
        while (missing >= buffer.length) {
            to.ensure(buffer.length);
            int read = in.read(to.array(), to.size(), buffer.length);
            if (read < 0) {
                throw closed(true);
            }
            to.setSize(to.size() + read);
            missing -= read;
        }
        if (missing > 0) {
            fill(missing, true);
            to.write(buffer, start, missing);
            start += missing;
        }
    }

    /** Waits until at least {@code count} bytes are buffered, and takes whatever more is there. */
    private void fill(int count, boolean withinPacket) throws IOException {
        if (buffer.length - start < count || start == end) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        while (end - start < count) {
            int read = in.read(buffer, end, buffer.length - end);
            if (read < 0) {
                throw closed(withinPacket || end > start);
            }
            end += read;
        }
    }

    /** Whether a whole payload is in the read buffer, so that receiving it will not wait. */
    public boolean hasBuffered() {
        int buffered = end - start;
        if (buffered < HEADER_BYTES) {
            return false;
        }
        int length = (buffer[start] & 0xFF) | (buffer[start + 1] & 0xFF) << 8 | (buffer[start + 2] & 0xFF) << 16;
        return length < MAX_PART_BYTES && buffered - HEADER_BYTES >= length;
    }

    private static EOFException closed(boolean withinPacket) {
        return new EOFException(
                withinPacket ? "server closed the connection within a packet" : "server closed the connection");
    }

    private PacketTooLargeException tooLarge(long length) {
        return new PacketTooLargeException(
                "packet of %d bytes or more exceeds the limit of %d bytes".formatted(length, maximumBytes));
    }
}
