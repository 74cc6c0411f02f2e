package io.sluice.server.control;

/** Whether a destination could be made to run with a configuration. */
public sealed interface Outcome {
    /**
     * Returns whether an instance was started.
     *
     * @throws IllegalStateException if none could be made; the message says why
     */
    boolean orThrow();

    /**
     * It runs with the configuration, or will when it is to run here.
     *
     * @param isStarted whether an instance was started for that
     */
    record Done(boolean isStarted) implements Outcome {
        @Override
        public boolean orThrow() {
            return isStarted;
        }
    }

    /**
     * No instance could be made of the configuration.
     *
     * @param why also says what runs instead
     */
    record Failed(String why) implements Outcome {
        @Override
        public boolean orThrow() {
            throw new IllegalStateException(why);
        }
    }
}
