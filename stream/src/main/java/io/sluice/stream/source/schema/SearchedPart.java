package io.sluice.stream.source.schema;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.stream.source.search.ExecutedInPart;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The part of a binlog in which DDL is looked for.
 *
 * @param end the statement at which the part ends, if it is before {@code until}
 * @param executed transactions that do not count, since the stream does not read them; null for none
 */
record SearchedPart(
        BinlogPosition from,
        BinlogPosition until,
        End end,
        @Nullable GtidSet executed) {
    /** Recognizes a statement that is after the part, if the position does not tell. */
    interface End {
        /** The position alone tells. */
        End NONE = (at, ddl) -> false;

        boolean isAt(EventPosition at, SchemaRecorder.Ddl ddl);
    }

    /** The part between two positions. */
    static SearchedPart between(BinlogPosition from, BinlogPosition until, @Nullable GtidSet executed) {
        return new SearchedPart(from, until, End.NONE, executed);
    }

    /** Returns the part from the given position on, with the same end. */
    SearchedPart from(BinlogPosition other) {
        return new SearchedPart(other, until, end, executed);
    }

    /**
     * The transactions that do not count, where they are in the part.
     *
     * @throws IOException if the host cannot be reached, or does not have that part any more
     */
    ExecutedInPart executedIn(SearchedBinlog binlog) throws IOException {
        return ExecutedInPart.of(executed, from, until, binlog.scan());
    }
}
