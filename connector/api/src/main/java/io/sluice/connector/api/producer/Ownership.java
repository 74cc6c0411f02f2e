package io.sluice.connector.api.producer;

/**
 * The ownership of a destination by this process, while other processes may wait for it.
 *
 * <p>A delivery or write checks it just before, and is not done when it is lost: another process has it then, or may take it
 * at any moment. Thread-safe; cheap enough to be asked for every message.
 */
public interface Ownership {
    /** The ownership of a process that shares its destinations with no other: always held, without an epoch. */
    Ownership SOLE = new Ownership() {
        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public long epoch() {
            return 0;
        }
    };

    /** Whether this process is the owner now, and will be for long enough to finish what is begun at once. */
    boolean isHeld();

    /**
     * Counts the owners of the destination, so that a later one has a larger number: 1 or more, and the same as long as this process is the
     * owner; 0 if they are not counted.
     */
    long epoch();
}
