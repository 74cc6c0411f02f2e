package io.sluice.stream.source;

import java.time.Duration;

/**
 * Counters of what was read from a source; each is consistent by itself only.
 *
 * @param receivedBytes the sizes of all events that came, what was read again after a broken connection included
 * @param events how many events came, the same included, without heartbeats
 * @param newEvents how many of them had not come before, those that were passed over before the start position included
 * @param advanced whether the source has sent a new event, or has shown that it has none, since the connection was made
 * @param transactions how many transactions were read to their end
 * @param waited how long the reader waited for the encoders, and for room for large events; zero if nothing is encoded ahead
 * @param chunks how many chunks of events were read and are not in the store yet; 0 if nothing is encoded ahead
 * @param undecidedTransactions how many XA transactions are held back that are prepared, and neither committed nor rolled back
 * @param rolledBackDeliveries how often rows were handed on that the source rolled back
 * @param spilledBytes how many bytes of a large transaction are in a file, and not handed on yet
 * @param searchedBytes how much of the binlog was read to find where the stream begins, without what was read again after a failure
 */
public record SourceProgress(
        long receivedBytes,
        long events,
        long newEvents,
        boolean advanced,
        long transactions,
        Duration waited,
        int chunks,
        int undecidedTransactions,
        long rolledBackDeliveries,
        long spilledBytes,
        long searchedBytes) {
    /** Nothing was read. */
    public static final SourceProgress NONE = new SourceProgress(0, 0, 0, false, 0, Duration.ZERO, 0, 0, 0, 0, 0);

    /** The same with a search. */
    SourceProgress withSearchedBytes(long bytes) {
        return new SourceProgress(
                receivedBytes,
                events,
                newEvents,
                advanced,
                transactions,
                waited,
                chunks,
                undecidedTransactions,
                rolledBackDeliveries,
                spilledBytes,
                bytes);
    }
}
