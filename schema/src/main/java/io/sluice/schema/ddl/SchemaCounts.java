package io.sluice.schema.ddl;

import java.util.concurrent.atomic.LongAdder;

/** What went otherwise than by plain DDL, counted since the start. Written by one thread, read by any. */
public final class SchemaCounts {
    private final LongAdder doubtfulStatements = new LongAdder();
    private final LongAdder tablesAsked = new LongAdder();
    private final LongAdder tablesCorrected = new LongAdder();
    private final LongAdder tablesHeld = new LongAdder();
    private final LongAdder eventsLeftOut = new LongAdder();

    /** Statements whose effect could not be told. */
    public long doubtfulStatements() {
        return doubtfulStatements.sum();
    }

    /** How often the source was asked how a single table is defined. */
    public long tablesAsked() {
        return tablesAsked.sum();
    }

    /** How often a table schema was corrected by what table maps say. */
    public long tablesCorrected() {
        return tablesCorrected.sum();
    }

    /** How often a table was found whose rows do not match its schema. */
    public long tablesHeld() {
        return tablesHeld.sum();
    }

    /** Rows events that were left out for that. */
    public long eventsLeftOut() {
        return eventsLeftOut.sum();
    }

    void doubtfulStatement() {
        doubtfulStatements.increment();
    }

    void tableAsked() {
        tablesAsked.increment();
    }

    /** Counts a correction. */
    public void tableCorrected() {
        tablesCorrected.increment();
    }

    /** Counts a table that is held. */
    public void tableHeld() {
        tablesHeld.increment();
    }

    /** Counts an event that is left out. */
    public void eventLeftOut() {
        eventsLeftOut.increment();
    }
}
