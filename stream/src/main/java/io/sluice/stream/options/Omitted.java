package io.sluice.stream.options;

/** A kind of entry that a stream leaves out, besides rows and statements of tables that its filter excludes. */
public enum Omitted {
    /** Statements of type QUERY: DDL of schemas, and text that is not parsed further. */
    QUERY_STATEMENTS,
    /** Statements of type QUERY that are known to change only tables that the table filter excludes, although canal's parser cannot read them. */
    UNREAD_STATEMENTS_OF_EXCLUDED_TABLES,
    /** DML that is logged in statement format, and the statement texts that are logged beside row changes. */
    DML_STATEMENTS,
    /** All statements but DML. */
    DDL_STATEMENTS,
    /** All statements. */
    ALL_STATEMENTS,
    /** Statements that canal's SQL parser does not report, such as those of views, users and foreign keys. */
    OTHER_STATEMENTS,
    /** Begins and ends of transactions, but for one every five seconds. */
    TRANSACTION_BOUNDARIES,
    /** All rows. */
    ROWS,
    /** Inserted rows. */
    INSERTS,
    /** Updated rows. */
    UPDATES,
    /** Deleted rows. */
    DELETES,
    /** Rows of tables whose schema is not known or does not match; otherwise they stop the stream. */
    MISMATCHED_ROWS
}
