package io.sluice.connector.api.producer;

/**
 * The right of this process to carry a destination's changes, while other processes may wait for it.
 *
 * <p>Whoever delivers or writes asks just before, and gives up when it is gone: another process has it then, or may take it
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

    /** Counts the owners of the destination, so that a later one has a larger number; 0 if nobody counts. */
    long epoch();
}
