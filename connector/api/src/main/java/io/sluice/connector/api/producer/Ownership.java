package io.sluice.connector.api.producer;

/**
 * The right of this process to carry a destination's changes, while other processes may wait for it.
 *
 * <p>A delivery or write checks it just before, and is given up when it is lost: another process has it then, or may take it
 * at any moment. Safe for use by several threads; cheap enough to be asked for every record.
 */
public interface Ownership {
    /** That of a process that shares its destinations with no other. */
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

    /** Whether it is ours now, and will be long enough for what is begun at once. */
    boolean isHeld();

    /** Counts the owners of the destination, so that a later one has a larger number; 0 if they are not counted. */
    long epoch();
}
