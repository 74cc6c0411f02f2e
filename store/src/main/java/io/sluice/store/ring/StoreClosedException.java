package io.sluice.store.ring;

/** A put or a get found the store closed, or it was closed while they waited: its instance stops. */
public final class StoreClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    StoreClosedException() {
        super("the store is closed: its instance is stopping or stopped");
    }
}
