package io.sluice.schema.table;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.sluice.mysql.wire.error.ResultTooLargeException;
import io.sluice.mysql.wire.query.ResultLimit;
import io.sluice.mysql.wire.query.TextHeap;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The heap that the table schemas of one instance take, and what is made of them while they are read from the source, written to a schema history or restored
 * from it. What one of these steps accepts has room in the others, too: schemas that are read or restored can be written, and what is written can be restored. The
 * instances of a process share its heap.
 *
 * <p>An estimate, for objects of a 64-bit JVM. For one thread.
 */
public final class SchemaHeap {
    private static final long MIB = 1 << 20;

    /** What a process has besides in any heap: its classes, pieces of texts and answers, buffers of connections. */
    private static final long RESERVE_BYTES = 8 * MIB;

    /** Tenths of the heap: the others are for changes that are read, for what decodes them, and for what the collector cannot use. */
    private static final int TENTHS = 7;

    /** Half copies of the text of a snapshot while it is written: as JSON, in a statement, and as its bytes, with the escapes of each; before, by tables and by schemas. */
    private static final int HALF_COPIES_WRITTEN = 7;

    /** Copies of such a text while JSON is read: in characters of two bytes, by schemas, and what that is made of, and the piece that is read. */
    private static final int COPIES_READ = 5;

    /** One of so many characters has an escape in JSON. */
    private static final int ESCAPES = 8;

    /** Copies of such a text while tables are made of it: by schemas, and its statements. */
    private static final int COPIES_SPLIT = 2;

    /** Bytes of schemas for each byte of their text, as far as the text alone is known. */
    private static final int TABLES_PER_TEXT = 6;

    /** How many tables are added until it is checked what other instances hold. */
    private static final int TABLES_PER_CHECK = 256;

    private static final long STEP_OF_SETTING = 16 * MIB;

    private static final long LIMIT_OF_PROCESS = Math.max(MIB, heapOfProcess() / 10 * TENTHS - RESERVE_BYTES);

    private static final Set<SchemaHeap> OF_PROCESS = neighbours();

    private final long limit;
    private final Set<SchemaHeap> neighbours;

    /** What the schemas in memory take. */
    private volatile long held;

    /** What is made of them in the step that lasts, or in the next one. */
    private volatile long room;

    private volatile boolean isInStep;

    /** Makes one in the heap of this process, in which nothing is held yet. */
    public SchemaHeap() {
        this(LIMIT_OF_PROCESS, OF_PROCESS);
    }

    /** Makes one with a limit in bytes, of which others have no part. */
    public SchemaHeap(long limit) {
        this(limit, neighbours());
    }

    /**
     * Makes one with a limit in bytes.
     *
     * @param neighbours those that have a part in it
     */
    SchemaHeap(long limit, Set<SchemaHeap> neighbours) {
        this.limit = limit;
        this.neighbours = neighbours;
        neighbours.add(this);
    }

    /** The largest heap as it is set. What {@link Runtime#maxMemory} returns changes with the sizes of generations: what was accepted once could be too large later. */
    private static long heapOfProcess() {
        try {
            HotSpotDiagnosticMXBean java = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
            return Long.parseLong(java.getVMOption("MaxHeapSize").getValue());
        } catch (RuntimeException | LinkageError e) { // another JVM, or a runtime without the module jdk.management
            return Runtime.getRuntime().maxMemory();
        }
    }

    /** No instance yet; one that is not used any more is left out some time later, also if it was not released. */
    static Set<SchemaHeap> neighbours() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));
    }

    /** States that the schemas are not in memory any more. */
    public void release() {
        held = 0;
        room = 0;
    }

    /** The schemas of all other instances, with the steps that last, and one more. */
    private long heldByOthers() {
        long schemas = 0;
        long steps = 0;
        long next = 0;
        synchronized (neighbours) {
            for (SchemaHeap other : neighbours) {
                if (other != this) {
                    schemas += other.held;
                    steps += other.isInStep ? other.room : 0;
                    next = Math.max(next, other.isInStep ? 0 : other.room);
                }
            }
        }
        return schemas + steps + next;
    }

    /**
     * Begins a step.
     *
     * @param what has to have room, in the plural, for messages
     * @param where what to see to before the heap is made larger, for messages; empty for nothing
     * @param areRecorded whether there is a schema history
     */
    public Step step(String what, String where, boolean areRecorded) {
        return new Step(what, where, areRecorded);
    }

    /** A step, in which all schemas are counted that are in memory when it ends. Then the schemas are left. */
    public final class Step implements AutoCloseable {
        private final String what;
        private final String where;
        private final boolean areRecorded;
        private final TextHeap writtenText = new TextHeap();
        private final TextHeap readText = new TextHeap();
        private long tables;
        private long count;
        private long written;
        private long read;
        private long others;

        private Step(String what, String where, boolean areRecorded) {
            this.what = what;
            this.where = where;
            this.areRecorded = areRecorded;
            isInStep = true;
        }

        /**
         * Adds a table that is in memory.
         *
         * @param done which part of all tables this one completes, from 0 to 1
         * @throws ResultTooLargeException if it has no room
         */
        public void add(TableSchema table, double done) throws ResultTooLargeException {
            tables += TableHeap.bytes(table);
            written += areRecorded ? writtenText.add(TableText.of(table)) : 0;
            if (count % TABLES_PER_CHECK == 0) {
                others = heldByOthers();
            }
            count++;
            if (!fits()) {
                throw tooLarge((long) (needed() / Math.max(done, Double.MIN_NORMAL)));
            }
        }

        /**
         * Adds a piece of a text that is read.
         *
         * @return whether it has room; it is an excess that {@link #textTooLarge} describes otherwise
         */
        public boolean addText(String piece) {
            read += readText.add(piece);
            others = heldByOthers();
            return fits();
        }

        /**
         * The failure of a text that has no room.
         *
         * @param done which part of it was added, from 0 to 1
         */
        public ResultTooLargeException textTooLarge(double done) {
            long all = (long) (read / Math.max(done, Double.MIN_NORMAL));
            return tooLarge(all * TABLES_PER_TEXT + toWrite(all));
        }

        /** Ends the step. */
        @Override
        public void close() {
            room = toWrite(written);
            isInStep = false;
        }

        private boolean fits() {
            held = tables;
            room = needed() - tables;
            if (needed() + others <= limit) {
                return true;
            }
            others = heldByOthers();
            return needed() + others <= limit;
        }

        private long needed() {
            long readNext = Math.max(read, written + written / ESCAPES);
            return Math.max(COPIES_READ * readNext, tables + Math.max(COPIES_SPLIT * read, toWrite(written)));
        }

        private ResultTooLargeException tooLarge(long needed) {
            return ResultTooLargeException.ofProcess(
                    "%s need about %d MiB of heap, and there are %d MiB for them%s"
                            .formatted(
                                    what,
                                    needed / MIB + 1,
                                    limit / MIB,
                                    others < MIB
                                            ? ""
                                            : ", of which other instances take %d MiB".formatted(others / MIB)),
                    others < MIB
                            ? "%sraise %s to %s".formatted(where, ResultLimit.HEAP_SETTING, setting(needed))
                            : "%sstart fewer instances in this process, or raise %s to more than %s"
                                    .formatted(where, ResultLimit.HEAP_SETTING, setting(needed + others)));
        }
    }

    private static long toWrite(long text) {
        return text * HALF_COPIES_WRITTEN / 2;
    }

    /** The largest heap, as an option of Java has it, that has room for so much. */
    static String setting(long needed) {
        long heap = (needed + RESERVE_BYTES) / TENTHS * 10;
        return (heap / STEP_OF_SETTING + 1) * (STEP_OF_SETTING / MIB) + "m";
    }
}
