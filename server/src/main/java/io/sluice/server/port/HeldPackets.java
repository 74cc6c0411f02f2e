package io.sluice.server.port;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits what is in memory of the packets of a port that have not been answered, for all its connections together: a client that waits for an answer,
 * or sends a part of a packet, keeps its packets there until its connection is closed. What each connection may have in any case is not counted, so
 * that clients that hold much are no harm to others.
 *
 * <p>When the room is used up, the connection that holds most is closed: of the network that holds most, an address or 64 bits of IPv6, and of equals
 * the one that has held something for the longest time. So one host with many connections closes its own before those of others. Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails to be closed is closed already
public final class HeldPackets {
    /** What a port keeps at least. */
    static final long MOST_BYTES = 32L * 1024 * 1024;

    /** So many of the longest requests have room, or clients that send such would close each other for ever. */
    private static final int LONGEST_REQUESTS = 4;

    /** What a connection may have besides. */
    static final int FREE_BYTES = 8 * 1024;

    /** What a packet takes in addition to its bytes. */
    private static final int PACKET_BYTES = 32;

    private final long mostBytes;
    private final RejectionLog rejections;

    /** How much the connections hold that hold more than each may have, in the order in which they began to. */
    @GuardedBy("this") private final Map<OfConnection, Long> holders = new LinkedHashMap<>();

    /** The sum of these. */
    @GuardedBy("this") private long allBytes;

    /**
     * Makes those of a port.
     *
     * @param longestBytes the bytes of the longest request that the port accepts
     * @param rejections notes the connections that are closed to make room
     */
    public static HeldPackets forRequestsOf(int longestBytes, RejectionLog rejections) {
        return new HeldPackets(Math.max(MOST_BYTES, (long) LONGEST_REQUESTS * longestBytes), rejections);
    }

    /** @param mostBytes the bytes of all connections, besides what each may have; a single connection may have more */
    HeldPackets(long mostBytes, RejectionLog rejections) {
        this.mostBytes = mostBytes;
        this.rejections = rejections;
    }

    /** Begins to count those of a connection. */
    public OfConnection connection(Channel channel) {
        return new OfConnection(channel);
    }

    /** Replaces what a connection holds. Returns false if it was closed to make room: then it is not counted any more. */
    private synchronized boolean replace(OfConnection connection, long before, long now) {
        if (before > 0 && !holders.containsKey(connection)) {
            return false;
        }
        allBytes += now - before;
        if (now > 0) {
            holders.put(connection, now);
        } else {
            holders.remove(connection);
        }
        return true;
    }

    /** Takes out the connection that is to be closed; null if there is room. */
    private synchronized @Nullable Taken takeLargest() {
        if (allBytes <= mostBytes || holders.size() <= 1) {
            return null;
        }
        Map<ByteBuffer, Long> byNetwork = new HashMap<>();
        holders.forEach((connection, bytes) -> byNetwork.merge(connection.network, bytes, Long::sum));
        long ofNetwork = Collections.max(byNetwork.values());
        Taken largest = null;
        for (Map.Entry<OfConnection, Long> holder : holders.entrySet()) {
            boolean isOfLargest = byNetwork.getOrDefault(holder.getKey().network, 0L) == ofNetwork;
            if (isOfLargest && (largest == null || holder.getValue() > largest.bytes)) {
                largest = new Taken(holder.getKey(), holder.getValue());
            }
        }
        if (largest != null) {
            holders.remove(largest.connection);
            allBytes -= largest.bytes;
        }
        return largest;
    }

    private synchronized boolean isCounted(OfConnection connection) {
        return holders.containsKey(connection);
    }

    /** A connection that is to be closed, and what it held beyond what each may have. */
    private record Taken(OfConnection connection, long bytes) {}

    /** The packets of a connection. For its event loop. */
    public final class OfConnection {
        private final Channel channel;
        private final @Nullable SocketAddress remote;
        private final ByteBuffer network;
        private long own;
        private boolean isClosed;

        private OfConnection(Channel channel) {
            this.channel = channel;
            this.remote = channel.remoteAddress();
            this.network = Admission.network(channel);
        }

        /**
         * Counts a packet of which so many bytes are to be read. If there is no room for it, the connection that holds most is closed, which may be
         * this one. Returns false if it is this one, now or before.
         */
        boolean add(int packetBytes) {
            long before = shared(own);
            own += packetBytes + PACKET_BYTES;
            long now = shared(own);
            if (now == before) {
                return true;
            }
            if (!replace(this, before, now)) {
                return false;
            }
            for (Taken largest = takeLargest(); largest != null; largest = takeLargest()) {
                largest.connection.close(largest.bytes);
            }
            return isCounted(this);
        }

        /** Forgets a packet, since it was answered or dropped. */
        void remove(int packetBytes) {
            if (!isClosed) {
                long before = shared(own);
                own -= packetBytes + PACKET_BYTES;
                long now = shared(own);
                if (now != before) {
                    replace(this, before, now);
                }
            }
        }

        /** Forgets all packets, since the connection is closed. */
        void close() {
            if (!isClosed) {
                isClosed = true;
                replace(this, shared(own), 0);
            }
        }

        /** Closes the connection at once, without a last word of TLS, which could have to wait. By any thread. */
        private void close(long sharedBytes) {
            ChannelHandlerContext first = channel.pipeline().firstContext();
            if (first != null) {
                first.close(); // before the log, which may fail: what it sends is dropped from now on
            }
            rejections.closed(
                    remote,
                    "requests that are not answered take more than %d bytes; its address holds most of them, and it %d bytes"
                            .formatted(mostBytes, sharedBytes + FREE_BYTES));
        }

        private static long shared(long own) {
            return Math.max(0, own - FREE_BYTES);
        }
    }
}
