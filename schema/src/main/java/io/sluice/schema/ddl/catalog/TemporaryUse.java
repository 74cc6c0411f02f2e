package io.sluice.schema.ddl.catalog;

/** Whether a statement was of temporary tables, according to the binlog. */
public enum TemporaryUse {
    /** It was not. */
    NONE,
    /** A table that it names may be a temporary one. */
    POSSIBLE,
    /** It was; it matters since it makes a table like a temporary one. */
    CERTAIN
}
