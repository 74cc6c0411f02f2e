package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.stream.failure.StreamException;
import io.sluice.stream.source.server.SourceQueries;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks through a part of the binlog for DDL, and logs how far it is, since that may take long. For one thread. */
final class DdlSearch {
    private static final Logger LOG = LoggerFactory.getLogger(DdlSearch.class);
    private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String instance;
    private final SourceQueries queries;
    private final Time time;
    private long reportedNanos;

    DdlSearch(String instance, SourceQueries queries, Time time) {
        this.instance = instance;
        this.queries = queries;
        this.time = time;
    }

    /**
     * Reads from one position to the other.
     *
     * @param executed transactions that do not count, since the stream does not read them; null for none
     * @param why is logged
     * @return what the DDL changes; null if that part cannot be read, which is logged
     * @throws IOException if the host cannot be reached, or does not have that part any more
     */
    @Nullable LaterChanges between(
            BinlogPosition from, BinlogPosition until, @Nullable GtidSet executed, SearchedBinlog binlog, String why)
            throws IOException {
        return in(SearchedPart.between(from, until, executed), binlog, why);
    }

    /** Looks for DDL in a part that may end at a statement, which does not count, nor does what follows it. */
    @Nullable LaterChanges in(SearchedPart part, SearchedBinlog binlog, String why) throws IOException {
        BinlogPosition from = part.from();
        BinlogPosition until = part.until();
        LOG.info("{}, looking for DDL in the binlog: instance={} from={} until={}", why, instance, from, until);
        reportedNanos = time.nanos();
        try {
            return LaterChanges.in(part, binlog, queries.traits(), time, reached -> report(reached, until));
        } catch (StreamException e) {
            warn(from, until, e);
            return null;
        }
    }

    /**
     * Reads the part that comes next after what was read.
     *
     * @return whether it could be read; if not, that is logged
     * @throws IOException as {@link #between}
     */
    boolean extend(LaterChanges changes, BinlogPosition from, BinlogPosition until, SearchedBinlog binlog)
            throws IOException {
        reportedNanos = time.nanos();
        try {
            changes.read(from, until, binlog, time, reached -> report(reached, until));
            return true;
        } catch (StreamException e) {
            warn(from, until, e);
            return false;
        }
    }

    private void warn(BinlogPosition from, BinlogPosition until, StreamException cause) {
        LOG.warn(
                "the binlog cannot be searched for DDL: instance={} from={} until={} cause={}",
                instance,
                from,
                until,
                cause.getMessage());
    }

    private void report(BinlogPosition reached, BinlogPosition until) {
        long now = time.nanos();
        if (now - reportedNanos >= REPORT_NANOS) {
            reportedNanos = now;
            LOG.info("looking for DDL in the binlog: instance={} reached={} until={}", instance, reached, until);
        }
    }
}
