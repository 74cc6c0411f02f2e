package io.sluice.connector.api.convert;

/** How an update is handled that changes the columns which choose a row's partition, or are its message's key. */
public enum KeyChange {
    /** It stays an update, and is routed by the new values. */
    KEEP,
    /**
     * It becomes a delete that is routed by the old values, and an insert that is routed by the new ones; but if its image after lacks
     * columns (binlog_row_image is not FULL), it stays an update.
     */
    SPLIT
}
