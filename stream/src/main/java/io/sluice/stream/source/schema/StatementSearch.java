package io.sluice.stream.source.schema;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.EventCode;
import io.sluice.mysql.binlog.EventHeader;
import io.sluice.schema.history.rows.HistoryPosition;
import io.sluice.stream.source.server.BinlogScan;

/**
 * Searches a binlog file for the statement of a row of canal. Canal does not store from which server it read a row; the offset, the second and the {@code server_id}
 * of the event tell whether it is in this binlog. The offset is where the event begins, or ends.
 */
final class StatementSearch implements BinlogScan.Visitor {
    private final HistoryPosition row;
    private long end = -1;

    StatementSearch(HistoryPosition row) {
        this.row = row;
    }

    @Override
    public boolean visit(EventHeader header, EventBody body, long start, long end) {
        if (start > row.offset()) {
            return false;
        }
        if ((start == row.offset() || end == row.offset())
                && header.code() == EventCode.QUERY
                && header.timestampSeconds() == row.timeMillis() / 1000
                && row.masterId().equals(Long.toString(header.serverId()))) {
            this.end = end;
            return false;
        }
        return true;
    }

    boolean isFound() {
        return end >= 0;
    }

    /** The offset at which the event of the statement ends. */
    long end() {
        return end;
    }
}
