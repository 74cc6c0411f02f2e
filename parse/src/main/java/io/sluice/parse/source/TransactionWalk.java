package io.sluice.parse.source;

import io.sluice.parse.binlog.EventBody;
import io.sluice.parse.binlog.EventCode;
import io.sluice.parse.binlog.EventHeader;
import io.sluice.parse.binlog.GtidEvent;
import io.sluice.parse.binlog.MariaDbGtidEvent;
import io.sluice.parse.binlog.MariaDbGtidListEvent;
import io.sluice.parse.binlog.PreviousGtidsEvent;
import io.sluice.parse.binlog.QueryEvent;
import io.sluice.parse.gtid.ExecutedGtids;
import io.sluice.parse.gtid.MariaDbGtidSet;
import io.sluice.parse.gtid.MariaDbGtids;
import io.sluice.parse.gtid.MySqlGtids;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Follows the transactions of one binlog file by their borders alone, from the file's first event on.
 *
 * <p>A compressed transaction is one event, which is not looked into. For one thread.
 */
final class TransactionWalk {
    private static final int LONGEST_COMMAND = 16;

    private long boundary;
    private boolean open;
    private boolean announced;
    private boolean anonymous;
    private @Nullable ExecutedGtids done;
    private @Nullable ExecutedGtids withOpen;

    /** What an event is to the transaction that it stands in. */
    enum Step {
        /** It announces or begins one, or stands in it. */
        WITHIN,
        /** With it, all rows of the transaction were read. */
        END,
        /** It is a transaction of its own, such as a DDL. */
        ALONE,
        /** It belongs to none, such as the head of a file. */
        OUTSIDE
    }

    /** Takes the next event, which starts at {@code start} and ends at {@code end}. */
    Step accept(EventHeader header, EventBody body, long start, long end) {
        boolean between = isBetween();
        Step step = step(header, body);
        boolean ends = step == Step.ALONE || step == Step.END && !open;
        if (ends) {
            announced = false;
            done = withOpen;
        }
        if (ends || between && step == Step.OUTSIDE) {
            boundary = end;
        } else if (between) {
            boundary = start;
        }
        return step;
    }

    private Step step(EventHeader header, EventBody body) {
        switch (header.code()) {
            case EventCode.PREVIOUS_GTIDS -> {
                done = MySqlGtids.of(PreviousGtidsEvent.decode(body).gtids());
                withOpen = done;
                return Step.OUTSIDE;
            }
            case EventCode.MARIADB_GTID_LIST -> {
                done = MariaDbGtids.parse(
                        new MariaDbGtidSet(MariaDbGtidListEvent.decode(body).gtids()).toString());
                withOpen = done;
                return Step.OUTSIDE;
            }
            case EventCode.MARIADB_GTID -> {
                MariaDbGtidEvent event = MariaDbGtidEvent.decode(header, body);
                announced = true;
                open = !event.standalone();
                withOpen = done instanceof MariaDbGtids before ? before.plus(event.gtid()) : null;
                return Step.WITHIN;
            }
            case EventCode.GTID, EventCode.GTID_TAGGED -> {
                announced = true;
                GtidEvent event =
                        header.code() == EventCode.GTID ? GtidEvent.decode(body) : GtidEvent.decodeTagged(body);
                withOpen = done instanceof MySqlGtids before ? before.plus(event.gtid()) : null;
                return Step.WITHIN;
            }
            case EventCode.ANONYMOUS_GTID -> {
                announced = true;
                anonymous = true;
                return Step.WITHIN;
            }
            case EventCode.XID, EventCode.XA_PREPARE -> {
                open = false;
                return Step.END;
            }
            case EventCode.TRANSACTION_PAYLOAD -> {
                return Step.ALONE;
            }
            case EventCode.MARIADB_QUERY_COMPRESSED -> {
                return open ? Step.WITHIN : Step.ALONE; // a short one, such as BEGIN, is never compressed
            }
            case EventCode.QUERY -> {
                return query(QueryEvent.decode(body).sql());
            }
            case EventCode.FORMAT_DESCRIPTION, EventCode.ROTATE, EventCode.STOP -> {
                return Step.OUTSIDE;
            }
            default -> {
                announced |= EventCode.announces(header.code());
                return open || announced ? Step.WITHIN : Step.OUTSIDE;
            }
        }
    }

    private Step query(EventBody sql) {
        String command = sql.readText(Math.min(sql.remaining(), LONGEST_COMMAND), StandardCharsets.ISO_8859_1)
                .strip()
                .toUpperCase(Locale.ROOT);
        if (command.equals("BEGIN") || command.startsWith("XA START")) {
            open = true;
            return Step.WITHIN;
        }
        if (command.equals("COMMIT") || command.equals("ROLLBACK")) {
            open = false;
            return Step.END;
        }
        if (command.startsWith("XA END")) {
            return Step.END; // the rows are complete; the transaction in the binlog goes on to its preparation
        }
        return open ? Step.WITHIN : Step.ALONE;
    }

    /** Whether no transaction is open or announced. */
    boolean isBetween() {
        return !open && !announced;
    }

    /** Where the transaction that is open began, or else the next one begins. */
    long boundary() {
        return boundary;
    }

    /** Whether a transaction without a GTID was seen. */
    boolean sawAnonymous() {
        return anonymous;
    }

    /** The transactions that ended before {@link #boundary}; null if the file does not say. */
    @Nullable ExecutedGtids done() {
        return done;
    }

    /** The same with the one that is open, or announced. */
    @Nullable ExecutedGtids withOpen() {
        return withOpen;
    }
}
