package io.sluice.format.entry;

/** What an entry is about. */
public enum EntryKind {
    /** A transaction begins. */
    BEGIN,
    /** Rows were inserted, updated or deleted. */
    ROWS,
    /** A statement that changed a table's schema: ALTER, CREATE, ERASE, RENAME, TRUNCATE, CINDEX or DINDEX. */
    DDL,
    /** Any other statement text: DDL on a database, XA statements, statement-format DML, the text of the statement that changed rows. */
    STATEMENT,
    /** A transaction ended. */
    END
}
