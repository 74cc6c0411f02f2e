package io.sluice.stream.reader;

import io.sluice.format.row.MappedTable;
import io.sluice.mysql.binlog.EventBody;
import io.sluice.protocol.entry.EventType;
import io.sluice.schema.table.TableName;
import io.sluice.stream.event.Event;
import io.sluice.stream.options.PartialImagePolicy;
import io.sluice.stream.options.PartialImagePolicy.Reported;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the first row image of a table that lacks columns, if that matters: a session may set {@code binlog_row_image} for
 * itself, so that the value of the source is not conclusive. For one thread.
 */
final class PartialImageReport {
    private static final Logger LOG = LoggerFactory.getLogger(PartialImageReport.class);
    private static final int MAX_TABLES = 100;

    private final PartialImagePolicy rules;
    private final Set<TableName> reported = new HashSet<>();
    private boolean isActive;

    PartialImageReport(PartialImagePolicy rules) {
        this.rules = rules;
        this.isActive = rules.reported() != Reported.NONE;
    }

    /**
     * Checks the columns of a rows event.
     *
     * @param rows the event from its column count on; it is left as it is
     */
    void check(Event event, EventType type, MappedTable table, EventBody rows) {
        if (isActive && isPartial(type, table, new EventBody(rows.array(), rows.offset(), rows.end()))) {
            report(event, table);
        }
    }

    private boolean isPartial(EventType type, MappedTable table, EventBody rows) {
        return rules.reported() == Reported.ANY
                ? table.layout().lacksColumns(rows, type)
                : table.layout().lacksKey(rows, type, rules.completesAfter());
    }

    private void report(Event event, MappedTable table) {
        TableName name = new TableName(table.schema(), table.table());
        if (!reported.add(name)) {
            return;
        }
        if (reported.size() > MAX_TABLES) {
            isActive = false;
            LOG.warn("row images of more tables lack columns, which are not named any more: tables={}", MAX_TABLES);
            return;
        }
        LOG.warn(
                "row images of a table lack columns, as a session has set binlog_row_image, {}: table={} at={}",
                rules.consequence(),
                name,
                event.position());
    }
}
