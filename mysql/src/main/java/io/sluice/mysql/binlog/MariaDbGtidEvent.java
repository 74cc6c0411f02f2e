package io.sluice.mysql.binlog;

import io.sluice.mysql.gtid.MariaDbGtid;

/**
 * A {@code GTID_EVENT} of MariaDB: names the transaction that follows, and begins it, since no BEGIN does.
 *
 * <pre>
 *   0               8               12
 *   +---------------+---------------+-------+------------------+------------------------+-------------+---------+
 *   | sequence      | domain        | flags | commit id        | XA: format, lengths of | more flags, | thread  |
 *   | number u64 LE | u32 LE        | u8    | u64, if flag 2   | both ids, ids          | their data  | id u32  |
 *   +---------------+---------------+-------+------------------+------------------------+-------------+---------+
 * </pre>
 *
 * <p>Source: MariaDB's manual, "GTID_EVENT". What follows the flags is there if they say so.
 *
 * @param gtid its name, with the server of the event's header
 * @param standalone whether the one statement after it is all, with no commit after that: DDL
 * @param phase what of an ALTER TABLE that is logged in two steps the statement is
 * @param threadId the connection on the source; 0 where the event does not say, as before MariaDB 11.5
 */
public record MariaDbGtidEvent(MariaDbGtid gtid, boolean standalone, AlterPhase phase, long threadId) {
    /** The phase of the DDL that the next statement belongs to. */
    public enum AlterPhase {
        /** It is logged once, when it is done: nearly all DDL. */
        DONE,
        /** It has only begun: rows after it are still of the table schema before. */
        STARTED,
        /** It did not succeed. */
        ROLLED_BACK
    }

    private static final int STANDALONE = 1;
    private static final int COMMIT_ID = 2;
    private static final int PREPARES_XA = 0x40;
    private static final int XA = PREPARES_XA | 0x80;
    private static final int FLAGS_OFFSET = 12;

    private static final int MORE_ENGINES = 1;
    private static final int START_ALTER = 2;
    private static final int COMMIT_ALTER = 4;
    private static final int ROLLBACK_ALTER = 8;
    private static final int THREAD_ID = 0x10;

    /** Decodes the event without header and checksum. */
    public static MariaDbGtidEvent decode(EventHeader header, EventBody body) {
        long sequence = body.readLong();
        long domain = body.readInt();
        int flags = body.readByte();
        if ((flags & COMMIT_ID) != 0) {
            body.skip(8);
        }
        if ((flags & XA) != 0) {
            body.skip(4);
            body.skip(body.readByte() + (long) body.readByte());
        }
        // Without a commit id there is padding, which reads as no more flags.
        int more = body.remaining() > 0 ? body.readByte() : 0;
        if ((more & MORE_ENGINES) != 0) {
            body.skip(1);
        }
        if ((more & (COMMIT_ALTER | ROLLBACK_ALTER)) != 0) {
            body.skip(8);
        }
        long threadId = (more & THREAD_ID) != 0 ? body.readInt() : 0;
        return new MariaDbGtidEvent(
                new MariaDbGtid(domain, header.serverId(), sequence), (flags & STANDALONE) != 0, phase(more), threadId);
    }

    /** Whether the transaction is an XA transaction that is prepared with its last event. Advances the body. */
    public static boolean preparesXa(EventBody body) {
        body.skip(FLAGS_OFFSET);
        return (body.readByte() & PREPARES_XA) != 0;
    }

    private static AlterPhase phase(int more) {
        if ((more & START_ALTER) != 0) {
            return AlterPhase.STARTED;
        }
        return (more & ROLLBACK_ALTER) != 0 ? AlterPhase.ROLLED_BACK : AlterPhase.DONE;
    }
}
