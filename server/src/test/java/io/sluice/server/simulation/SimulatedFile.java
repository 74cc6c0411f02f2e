package io.sluice.server.simulation;

import io.sluice.store.text.DurableText;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The cursor file on a simulated disk. */
final class SimulatedFile {
    private @Nullable String text;

    /** The text that is on the disk; null if there is none. */
    @Nullable String text() {
        return text;
    }

    /**
     * The file as one process sees it.
     *
     * @param isDead whether the process is dead
     * @param fails whether the next write fails; the new text may be there nevertheless
     * @param aroundWrites runs before each write and after it; the process may be dead then
     */
    DurableText opened(BooleanSupplier isDead, BooleanSupplier fails, BooleanSupplier arrives, Runnable aroundWrites) {
        return new DurableText() {
            @Override
            public String location() {
                return "the simulated cursor file";
            }

            @Override
            public String read() throws IOException {
                if (text == null) {
                    throw new NoSuchFileException(location());
                }
                return text;
            }

            @Override
            public void replace(String newer) throws IOException {
                aroundWrites.run();
                requireAlive();
                if (fails.getAsBoolean()) {
                    if (arrives.getAsBoolean()) {
                        text = newer;
                    }
                    throw new IOException("the disk fails");
                }
                text = newer;
                aroundWrites.run();
                requireAlive();
            }

            private void requireAlive() throws IOException {
                if (isDead.getAsBoolean()) {
                    throw new IOException("the process is dead");
                }
            }
        };
    }
}
