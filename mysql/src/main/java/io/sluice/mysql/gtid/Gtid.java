package io.sluice.mysql.gtid;

/** The global transaction identifier of one transaction. Immutable. */
public sealed interface Gtid permits MySqlGtid, MariaDbGtid {
    /** The GTID as its server prints it. */
    @Override
    String toString();
}
