package io.sluice.stream.failure;

import io.sluice.protocol.position.BinlogPosition;
import java.io.IOException;

/** Thrown if reading began within a transaction: it must begin at the boundary before it, or rows are lost. */
public final class MidTransactionException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient BinlogPosition position;

    public MidTransactionException(BinlogPosition position) {
        super("the event at %s is within a transaction whose begin was not read".formatted(position));
        this.position = position;
    }

    /** The first event that showed it. */
    public BinlogPosition position() {
        return position;
    }
}
