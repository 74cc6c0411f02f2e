package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.catalog.SchemaCounts;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.store.ring.StoreStats;
import io.sluice.stream.options.Omitted;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.source.schema.SchemaOptions;
import io.sluice.stream.source.watch.Lag;
import io.sluice.stream.source.watch.WatchPools;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A source that reads a server into a ring, what comes out of the ring, and the states of the source meanwhile. */
public final class LiveSource implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 200;
    private static final int ENTRIES_AT_ONCE = 64;

    private final EntryRing ring;
    private final Semaphore changes = new Semaphore(0);
    private final BinlogSource source;
    private final ExecutorService encoders = Executors.newFixedThreadPool(2);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService watches = Executors.newCachedThreadPool();
    private final List<SourceState> states = new CopyOnWriteArrayList<>();
    /** What came along with the last entry that was wanted. */
    private final Deque<Entry> unread = new ArrayDeque<>();

    private volatile Cursor cursor;
    /** How often the position where the stream begins cannot be stored. */
    private int failingStarts;
    /** Called with each state, before it does anything else. */
    private final Consumer<SourceState> onState;

    /** Where it was stated that reading continues after changes were lost. */
    private final List<Cursor> resetsTo = new CopyOnWriteArrayList<>();

    private LiveSource(Start how) {
        ring = new EntryRing(how.size);
        ring.onChange(changes::release);
        failingStarts = how.failingStarts;
        onState = how.onState;
        source = new BinlogSource(
                "live",
                how.options,
                new SourceStream(how.stream, how.filter, how.types, how.schema, how.mappingBytes),
                ring,
                how.cursor,
                how.encodeAhead ? new EncodingPool(encoders) : null,
                new WatchPools(timer, watches),
                Time.SYSTEM,
                new Listener());
    }

    /**
     * Prepares to read all tables, without a cursor or a schema history.
     *
     * @param size a small ring makes the source wait often
     */
    public static Start reading(SourceOptions options, RingConfig size) {
        return new Start(options, size);
    }

    /** How a source starts to read. */
    public static final class Start {
        private final SourceOptions options;
        private final RingConfig size;
        private SchemaOptions schema = SchemaOptions.WITHOUT_HISTORY;
        private StreamOptions stream = StreamOptions.DEFAULT;
        private TableFilter filter = new TableFilter("", "");
        private ColumnTypes types = ColumnTypes.defaults(ZoneOffset.UTC);
        private long mappingBytes = EventReader.DEFAULT_MAPPING_BYTES;
        private Cursor cursor;
        private boolean encodeAhead;
        private int failingStarts;
        private Consumer<SourceState> onState = state -> {};

        private Start(SourceOptions options, RingConfig size) {
            this.options = options;
            this.size = size;
        }

        /** How table schemas are known. */
        public Start schema(SchemaOptions next) {
            schema = next;
            return this;
        }

        /** What is delivered. */
        public Start stream(StreamOptions next) {
            stream = next;
            return this;
        }

        /** Which tables are. */
        public Start filter(TableFilter next) {
            filter = next;
            return this;
        }

        /** How values are written. */
        public Start types(ColumnTypes next) {
            types = next;
            return this;
        }

        /** Whether rows that do not match the schema of their table are left out. */
        public Start leaveOutMismatches(boolean leaveOut) {
            return leaveOut
                    ? stream(StreamOptions.DEFAULT.without(
                            EnumSet.of(Omitted.OTHER_STATEMENTS, Omitted.MISMATCHED_ROWS)))
                    : this;
        }

        /** The room for what is remembered of tables. */
        public Start mappingBytes(long bytes) {
            mappingBytes = bytes;
            return this;
        }

        /** Where an earlier run got to; null if there was none. */
        public Start from(Cursor reached) {
            cursor = reached;
            return this;
        }

        /** Whether entries are written as protobuf when they are read, and only so. */
        public Start encodeAhead(boolean isAhead) {
            encodeAhead = isAhead;
            return this;
        }

        /** Has the first try fail to store the position at which the stream begins. */
        Start failToStoreOnce() {
            failingStarts = 1;
            return this;
        }

        /** What is called with each state; the source waits meanwhile. */
        Start onState(Consumer<SourceState> listener) {
            onState = listener;
            return this;
        }

        /** Starts to read. */
        public LiveSource start() {
            LiveSource live = new LiveSource(this);
            live.source.start();
            return live;
        }
    }

    /** To read one server from a place. */
    public static SourceOptions options(ConnectOptions login, BinlogPosition start) {
        return new SourceOptions(login, 4714, start, null, List.of(), List.of(), Duration.ofSeconds(5));
    }

    /** Whether another replica uses the server id. */
    public boolean isServerIdInDoubleUse() {
        return source.isServerIdInDoubleUse();
    }

    /** What went otherwise than by plain DDL. */
    public SchemaCounts schemaCounts() {
        return source.schemaCounts();
    }

    /** Reads so many entries of rows, and the end of their transaction; returns how many came. */
    public int readRows(int rows) throws InterruptedException {
        int count = 0;
        while (count < rows) {
            List<Entry> entries = readUntil(entry -> entry.kind() == EntryKind.END);
            count += (int) entries.stream()
                    .filter(entry -> entry.kind() == EntryKind.ROWS)
                    .count();
        }
        return count;
    }

    /** All entries from here to the first one that is the last wanted, with that one. */
    public List<Entry> readUntil(Predicate<Entry> last) throws InterruptedException {
        return readUntil(last, PATIENCE);
    }

    /** All entries as {@link #readUntil(Predicate)} reads them; fails if the last one has not come in the given time. */
    public List<Entry> readUntil(Predicate<Entry> last, Duration patience) throws InterruptedException {
        List<Entry> entries = new ArrayList<>();
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            if (unread.isEmpty()) {
                unread.addAll(next());
            }
            while (!unread.isEmpty()) {
                Entry entry = unread.removeFirst();
                entries.add(entry);
                if (last.test(entry)) {
                    return entries;
                }
            }
            assertThat(System.nanoTime())
                    .as("the last entry, after %d others; retries: %s", entries.size(), retries())
                    .isLessThan(deadline);
        }
    }

    /** The next entries; none if none came for a while. */
    public List<Entry> next() throws InterruptedException {
        if (!unread.isEmpty()) {
            List<Entry> entries = List.copyOf(unread);
            unread.clear();
            return entries;
        }
        Batch batch = look();
        if (batch != null) {
            ring.ack(batch);
        }
        Cursor reached = ring.takeCursor();
        cursor = reached == null ? cursor : reached;
        Throwable failure = failure();
        if (failure != null && batch == null) {
            throw new AssertionError("the source failed", failure);
        }
        return batch == null ? List.of() : batch.entries();
    }

    /** Waits a moment for entries; null if there are none. */
    private @Nullable Batch look() throws InterruptedException {
        changes.drainPermits();
        Batch batch = ring.getIfReady(BatchLimit.entries(ENTRIES_AT_ONCE), Readiness.ANY);
        if (batch == null && changes.tryAcquire(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            batch = ring.getIfReady(BatchLimit.entries(ENTRIES_AT_ONCE), Readiness.ANY);
        }
        return batch;
    }

    /** Where a new run would resume after all that was consumed. */
    public Cursor cursor() {
        return cursor;
    }

    /** The newest position that the store has given out for a cursor; null if there is none, or it was given out before. */
    Cursor takeCursor() {
        return ring.takeCursor();
    }

    /** The lag that the source reports. */
    public Lag lag() {
        return source.lag();
    }

    /** What it has read. */
    SourceProgress progress() {
        return source.progress();
    }

    /** How often it continued at the newest position. */
    public long resets() {
        return source.resets();
    }

    /** Where the listener was told that it does. */
    List<Cursor> resetsTo() {
        return resetsTo;
    }

    /** Whether the ring has a place for no entry more. */
    public boolean isFull() {
        StoreStats stats = ring.stats();
        return stats.put().entries() - stats.acked().entries() == stats.capacityEntries();
    }

    /** All that it has done. */
    List<SourceState> states() {
        return states;
    }

    /** Where it began to read, each time it was connected. */
    public List<BinlogPosition> readings() {
        return each(SourceState.Streaming.class)
                .map(SourceState.Streaming::from)
                .toList();
    }

    /** Why it had to connect again, each time. */
    public List<String> retries() {
        return states.stream()
                .flatMap(state -> state instanceof SourceState.BackingOff waits
                        ? Stream.of(waits.cause())
                        : state instanceof SourceState.SwitchingHost leaves
                                ? Stream.of(leaves.cause())
                                : Stream.empty())
                .map(cause -> String.valueOf(cause.getMessage()))
                .toList();
    }

    /** Why it cannot continue; null if it can. */
    public Throwable failure() {
        return each(SourceState.Failed.class)
                .map(SourceState.Failed::cause)
                .findFirst()
                .orElse(null);
    }

    /** Of which kind that is; null if it can. */
    public SourceFailure kind() {
        return each(SourceState.Failed.class)
                .map(SourceState.Failed::failure)
                .findFirst()
                .orElse(null);
    }

    private <T> Stream<T> each(Class<T> kind) {
        return states.stream().filter(kind::isInstance).map(kind::cast);
    }

    @Override
    public void close() {
        source.close();
        ring.close();
        encoders.shutdownNow();
        timer.shutdownNow();
        watches.shutdownNow();
    }

    private final class Listener implements SourceListener {
        @Override
        public void onStart(Cursor first) throws IOException {
            ring.begin(first);
            if (failingStarts > 0) {
                failingStarts--;
                throw new SourceException(SourceFailure.CURSOR_NOT_STORED, "the disk is full");
            }
            cursor = cursor == null ? first : cursor;
        }

        @Override
        public void onReset(Cursor newest) {
            resetsTo.add(newest);
        }

        @Override
        public void onState(SourceState state) {
            states.add(state);
            onState.accept(state);
        }
    }
}
