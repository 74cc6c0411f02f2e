package io.sluice.store.ring;

/**
 * How far one of the store's three verbs has come since the store was made.
 *
 * @param entries how many entries; also the sequence of the next one, from 0 (canal's own metrics start at -1, one less)
 * @param bytes the sum of their sizes
 * @param rows the sum of their row counts
 * @param lastTimeMillis when the last of them was written on the source, in milliseconds since the epoch; 0 if there is none
 */
public record StoreProgress(long entries, long bytes, long rows, long lastTimeMillis) {}
