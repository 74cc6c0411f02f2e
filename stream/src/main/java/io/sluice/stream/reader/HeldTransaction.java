package io.sluice.stream.reader;

import io.sluice.mysql.binlog.FormatDescription;
import io.sluice.mysql.transaction.Boundary;
import io.sluice.stream.event.Event;
import io.sluice.stream.mapping.TableMapping;
import io.sluice.stream.xa.HeldEvents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * An XA transaction whose events are held back, with the table mappings and the format description that they were read with. For one
 * thread.
 */
final class HeldTransaction {
    private final HeldEvents events;
    private final FormatDescription format;
    private final Boundary start;
    private final List<TableMapping> tables = new ArrayList<>();
    private final IdentityHashMap<TableMapping, Integer> tableNumbers = new IdentityHashMap<>();

    /**
     * Makes a held transaction without events.
     *
     * @param format the format of its events
     * @param start the boundary before its first event
     */
    HeldTransaction(HeldEvents events, FormatDescription format, Boundary start) {
        this.events = events;
        this.format = format;
        this.start = start;
    }

    /** Appends an event. */
    void append(Event event) throws IOException {
        events.append(event.header(), event.body());
    }

    /** Appends an event that is too large, of which the first bytes are there. */
    void appendCut(Event event) throws IOException {
        events.appendCut(event.header(), event.body());
    }

    /** Appends the mapping of a table id from here on. */
    void append(long tableId, TableMapping mapping) throws IOException {
        Integer number = tableNumbers.get(mapping);
        if (number == null) {
            number = tables.size();
            tables.add(mapping);
            tableNumbers.put(mapping, number);
        }
        events.appendTable(tableId, number);
    }

    /** Its events, in memory or in a file. */
    HeldEvents events() {
        return events;
    }

    /** The format of its events. */
    FormatDescription format() {
        return format;
    }

    /** The boundary before its first event, where reading must resume as long as it is not decided. */
    Boundary start() {
        return start;
    }

    /** The table of a number. */
    TableMapping table(int number) {
        return tables.get(number);
    }
}
