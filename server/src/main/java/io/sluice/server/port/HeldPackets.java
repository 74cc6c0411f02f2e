package io.sluice.server.port;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits what is in memory of the packets of a port that have not been answered, for all its connections together: a client that waits for an answer,
 * or sends a part of a packet, keeps its packets there until its connection is closed. What each connection may have in any case is not counted, so
 * that clients that hold much are no harm to others.
 */
public final class HeldPackets {
    /** What a port keeps by default. */
    static final long MOST_BYTES = 32L * 1024 * 1024;

    /** What a connection may have besides. */
    static final int FREE_BYTES = 8 * 1024;

    /** What a packet takes in addition to its bytes. */
    private static final int PACKET_BYTES = 32;

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();

    /** Makes those of a port. */
    public HeldPackets() {
        this(MOST_BYTES);
    }

    /** @param mostBytes the bytes of all connections, besides what each may have; a single connection may have more */
    HeldPackets(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /** Begins to count those of a connection. */
    public OfConnection connection() {
        return new OfConnection();
    }

    /** The packets of a connection. For its event loop. */
    public final class OfConnection {
        private long own;
        private boolean isClosed;

        private OfConnection() {}

        /** Counts a packet of which so many bytes are to be read. Returns false if there is no room for it: it is counted nevertheless. */
        boolean add(int packetBytes) {
            long before = shared(own);
            own += packetBytes + PACKET_BYTES;
            long after = shared(own);
            if (after == before) {
                return true;
            }
            long all = bytes.addAndGet(after - before);
            return all <= mostBytes || all == after;
        }

        /** Forgets a packet, since it was answered or dropped. */
        void remove(int packetBytes) {
            if (!isClosed) {
                long before = shared(own);
                own -= packetBytes + PACKET_BYTES;
                bytes.addAndGet(shared(own) - before);
            }
        }

        /** Forgets all packets, since the connection is closed. */
        void close() {
            if (!isClosed) {
                isClosed = true;
                bytes.addAndGet(-shared(own));
            }
        }

        private static long shared(long own) {
            return Math.max(0, own - FREE_BYTES);
        }
    }
}
