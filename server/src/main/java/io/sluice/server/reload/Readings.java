package io.sluice.server.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.ConfigDigests;
import io.sluice.server.config.reload.ConfigSource;
import io.sluice.server.config.reload.ReadConfiguration;
import io.sluice.server.config.text.Problem;
import io.sluice.server.control.CommandRejectedException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the configuration for commands and looks, one at a time: what is to be done with a reading is found out before the next one begins. Of several
 * commands that wait, the next ones use what one has read that began after they did. Thread-safe.
 */
final class Readings {
    /** How much longer than for other changes a command may wait until the configuration is read. */
    private static final Duration READING_LIMIT = Duration.ofSeconds(5);

    private final ConfigSource source;
    private final Time time;

    /** Held while the source is read, and until it is known what is to be done with that. */
    private final ReentrantLock lock = new ReentrantLock(true); // so that those that wait share the next reading

    /** What holds it, for messages. */
    private volatile @Nullable Reader reader;

    /** How many have begun. */
    private final AtomicLong begun = new AtomicLong();

    /** The newest one, while commands wait that may use it. Used while {@code lock} is held. */
    private volatile @Nullable Reading newest;

    @GuardedBy("lock") private @Nullable Seen seen;

    private record Reader(String by, long sinceNanos) {}

    private record Reading(long number, ReadConfiguration read) {}

    /** What the look before has found. */
    private record Seen(
            ConfigDigests digests, List<String> destinations, List<String> serverProblems, Set<String> wrongInstances) {
        static Seen of(ReadConfiguration read) {
            return new Seen(
                    read.configuration().digests(),
                    read.configuration().server().destinations(),
                    Problem.texts(read.serverProblems()),
                    read.instanceProblems().keySet());
        }
    }

    Readings(ConfigSource source, Time time) {
        this.source = source;
        this.time = time;
    }

    /**
     * Reads the configuration for a command, when no other thread does.
     *
     * @param by the command, for messages
     * @param deadline until when it waits for other changes
     * @param use what is to be done with it, before it is read again
     * @throws CommandRejectedException if the deadline has passed before that
     */
    <T> T read(String by, Deadline deadline, Function<ReadConfiguration, T> use) {
        long before = begun.get();
        Deadline end = deadline.plus(READING_LIMIT);
        if (!tryLock(end.left())) { // it may use what another one reads
            throw new CommandRejectedException(
                    "the configuration is being read: by %s; repeat the command when that has ended; if it is at an admin server, check that that answers"
                            .formatted(describedReader()));
        }
        try {
            reader = new Reader(by, time.nanos());
            ReadConfiguration read = readSince(before);
            if (end.left().isZero()) {
                throw new CommandRejectedException(
                        "it took too long to read the configuration: nothing was done; if it is at an admin server, check that that answers, and repeat the command");
            }
            return use.apply(read);
        } finally {
            endReading();
            lock.unlock();
        }
    }

    /**
     * Reads the configuration unless another thread does, and uses it if the look before has found the same. Waits for no other reading.
     *
     * @param by the look, for messages
     * @param use what is to be done with it, before it is read again
     * @return what that returns; empty if it was not used
     */
    <T> Optional<T> look(String by, Function<ReadConfiguration, Optional<T>> use) {
        if (!tryLock(Duration.ZERO)) { // commands that wait come first
            return Optional.empty();
        }
        try {
            reader = new Reader(by, time.nanos());
            ReadConfiguration read = readSince(begun.get());
            return isSettled(read) ? use.apply(read) : Optional.empty();
        } finally {
            endReading();
            lock.unlock();
        }
    }

    private boolean tryLock(Duration wait) {
        try {
            return lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandRejectedException("the server is stopping");
        }
    }

    private String describedReader() {
        Reader other = reader;
        return other == null ? "a change that has just ended" : Claims.since(other.by(), other.sinceNanos(), time);
    }

    /**
     * Reads the configuration, if that was not done by a reading which has begun later.
     *
     * @param before how many readings had begun when the command did
     */
    private ReadConfiguration readSince(long before) {
        Reading known = newest;
        if (known == null || known.number() <= before) {
            known = new Reading(begun.incrementAndGet(), source.read());
            newest = known;
        }
        return known.read();
    }

    private void endReading() {
        reader = null;
        if (!lock.hasQueuedThreads()) {
            newest = null;
        }
    }

    /** Whether the look before has found the same. */
    @GuardedBy("lock") private boolean isSettled(ReadConfiguration read) {
        Seen now = Seen.of(read);
        boolean isSettled = now.equals(seen);
        seen = now;
        return isSettled;
    }
}
