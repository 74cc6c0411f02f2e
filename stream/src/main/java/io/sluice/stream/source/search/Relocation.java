package io.sluice.stream.source.search;

import io.sluice.protocol.position.BinlogPosition;

/** Why the next start position is not the position that was reached. */
public sealed interface Relocation {
    /** It is. */
    record None() implements Relocation {}

    /** The binlog that is needed next was purged, and an operator has allowed to lose it. */
    record ToNewest() implements Relocation {}

    /** The files of the server are probably not those of the position. */
    record ByTime(String why) implements Relocation {}

    /**
     * A server was read from a position within a transaction.
     *
     * @param position the event that showed it
     * @param identity of that server
     */
    record ToBoundaryBefore(BinlogPosition position, String identity) implements Relocation {}

    /**
     * A server has lost the end of the file that was read, and an operator has allowed to continue after it.
     *
     * @param start where the next file begins, or the oldest XA transaction that is not decided
     * @param identity of that server
     * @param isContinuous whether the start certainly follows what was read, and nothing is between
     */
    record PastLostEnd(BinlogPosition start, String identity, boolean isContinuous) implements Relocation {}

    /** Nothing special. */
    Relocation NONE = new None();
}
