package io.sluice.stream.mapping;

import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.table.TableName;
import io.sluice.stream.event.Event;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A table in quarantine: its rows match no known schema, and are counted and not delivered. For one thread. */
public final class QuarantinedTable {
    private static final Logger LOG = LoggerFactory.getLogger(QuarantinedTable.class);
    private static final int EVENTS_PER_LINE = 10_000;

    private final TableName name;
    private final SchemaCounts counts;
    private long events;

    QuarantinedTable(TableName name, SchemaCounts counts) {
        this.name = name;
        this.counts = counts;
    }

    /** States that a rows event of it is passed over. */
    public void leaveOut(Event.Position position) {
        events++;
        counts.countEventLeftOut();
        if (events % EVENTS_PER_LINE == 0) {
            LOG.warn(
                    "rows of a table whose schema is not known are left out: table={} events={} at={}",
                    name,
                    events,
                    position);
        }
    }
}
