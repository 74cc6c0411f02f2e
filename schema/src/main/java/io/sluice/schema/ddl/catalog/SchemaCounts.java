package io.sluice.schema.ddl.catalog;

import java.util.concurrent.atomic.LongAdder;

/** Counters of table schemas that did not follow from DDL alone, and of changes without rows, since the start. Written by one thread, read by any. */
public final class SchemaCounts {
    private final LongAdder doubtfulStatements = new LongAdder();
    private final LongAdder tablesAsked = new LongAdder();
    private final LongAdder tablesCorrected = new LongAdder();
    private final LongAdder tablesHeld = new LongAdder();
    private final LongAdder eventsLeftOut = new LongAdder();
    private final LongAdder changesAsStatements = new LongAdder();

    /** Statements whose effect could not be determined. */
    public long doubtfulStatements() {
        return doubtfulStatements.sum();
    }

    /** How often the source was asked how a single table is defined. */
    public long tablesAsked() {
        return tablesAsked.sum();
    }

    /** How often a table schema was corrected from a table map. */
    public long tablesCorrected() {
        return tablesCorrected.sum();
    }

    /** How often a table was quarantined because its rows do not match its schema. */
    public long tablesHeld() {
        return tablesHeld.sum();
    }

    /** Rows events of quarantined tables, which were not delivered. */
    public long eventsLeftOut() {
        return eventsLeftOut.sum();
    }

    /** Changes that the source logged as statements, so that no rows of them are delivered. */
    public long changesAsStatements() {
        return changesAsStatements.sum();
    }

    /** Counts a statement whose effect could not be determined. */
    public void countDoubtfulStatement() {
        doubtfulStatements.increment();
    }

    void countTableAsked() {
        tablesAsked.increment();
    }

    /** Counts a correction. */
    public void countTableCorrected() {
        tablesCorrected.increment();
    }

    /** Counts a table that is quarantined. */
    public void countTableHeld() {
        tablesHeld.increment();
    }

    /** Counts a rows event that is not delivered. */
    public void countEventLeftOut() {
        eventsLeftOut.increment();
    }

    /** Counts a change that was logged as a statement. */
    public void countChangeAsStatement() {
        changesAsStatements.increment();
    }
}
