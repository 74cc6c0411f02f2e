package io.sluice.connector.api.convert;

/** What becomes of an update that changes the columns which choose a row's partition, or are its message's key. */
public enum KeyChange {
    /** It stays an update, and goes where the new values say. */
    KEEP,
    /**
     * It becomes a delete where the old values say, and an insert where the new ones say; but if its image after lacks
     * columns (binlog_row_image is not FULL), it stays an update.
     */
    SPLIT
}
