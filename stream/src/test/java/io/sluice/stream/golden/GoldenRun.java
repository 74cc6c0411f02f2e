package io.sluice.stream.golden;

import io.sluice.format.entry.Entry;
import io.sluice.format.flat.FlatFormat;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.protobuf.EncodingPool;
import io.sluice.format.protobuf.ProtobufEncoder;
import io.sluice.format.value.ColumnTypes;
import io.sluice.mysql.binlog.BinlogFile;
import io.sluice.mysql.binlog.EventSource;
import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.protocol.time.Time;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.store.ring.Batch;
import io.sluice.store.ring.BatchLimit;
import io.sluice.store.ring.EntryRing;
import io.sluice.store.ring.EntryStore;
import io.sluice.store.ring.Readiness;
import io.sluice.store.ring.RingConfig;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.options.StreamOptions;
import io.sluice.stream.pipeline.StreamPipeline;
import io.sluice.stream.reader.EventReader;
import io.sluice.stream.reader.ReaderOptions;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs a recorded case from its binlog files. */
final class GoldenRun {
    private static final RingConfig RING = new RingConfig(1 << 16, 1 << 14, false);

    private GoldenRun() {}

    /** The entries of a case. */
    static List<Entry> entries(GoldenCase golden, boolean encodeAhead) throws Exception {
        return entries(golden, new GoldenSettings(golden.settings()), encodeAhead);
    }

    /** The entries of a case under other settings. */
    static List<Entry> entries(GoldenCase golden, GoldenSettings settings, boolean encodeAhead) throws Exception {
        return run(
                golden,
                settings,
                golden.startSchemas(),
                golden.endSchemas(),
                encodeAhead,
                pipeline -> feed(golden, pipeline));
    }

    /** The entries of a case as a MySQL 8.0 server without a schema history gives them, with its table schemas at the start and when a table is asked for. */
    static List<Entry> entriesWithoutHistory(GoldenCase golden, Map<TableName, String> start, TableDefinitions later)
            throws Exception {
        SchemaTracker tracker = new SchemaTracker(later, SourceTraits.DEFAULT);
        tracker.catalog().tables().spellAsSource();
        define(start, tracker);
        return run(
                golden,
                new GoldenSettings(golden.settings()),
                golden.start(),
                tracker,
                false,
                pipeline -> feed(golden, pipeline));
    }

    private static void feed(GoldenCase golden, StreamPipeline pipeline) throws Exception {
        feed(golden, golden.start(), golden.end(), pipeline);
    }

    private static void feed(GoldenCase golden, BinlogPosition start, BinlogPosition end, StreamPipeline pipeline)
            throws Exception {
        List<String> files = golden.binlogs();
        for (String file : files.subList(files.indexOf(start.file()), files.indexOf(end.file()) + 1)) {
            long from = file.equals(start.file()) ? start.offset() : 4;
            long to = file.equals(end.file()) ? end.offset() : Long.MAX_VALUE;
            try (BinlogFile source = BinlogFile.open(golden.binlog(file), from, to)) {
                pipeline.read(source);
            }
        }
    }

    /** What other events become, with the table schemas of a case. */
    static List<Entry> entries(GoldenCase golden, EventSource source, boolean encodeAhead) throws Exception {
        return run(
                golden,
                new GoldenSettings(golden.settings()),
                golden.startSchemas(),
                golden.endSchemas(),
                encodeAhead,
                pipeline -> pipeline.read(source));
    }

    /** The entries from a later place on, by a reader that knows the table schemas of then. */
    static List<Entry> entriesFrom(GoldenCase golden, BinlogPosition start) throws Exception {
        GoldenSettings settings = new GoldenSettings(golden.settings());
        SchemaTracker tracker = tracker(golden, golden.startSchemas(), golden.endSchemas());
        run(
                golden,
                settings,
                golden.start(),
                tracker,
                false,
                pipeline -> feed(golden, golden.start(), start, pipeline));
        return run(golden, settings, start, tracker, false, pipeline -> feed(golden, start, golden.end(), pipeline));
    }

    /** Feeds a pipeline. */
    private interface Feed {
        void into(StreamPipeline pipeline) throws Exception;
    }

    private static List<Entry> run(
            GoldenCase golden,
            GoldenSettings settings,
            Map<TableName, String> start,
            TableDefinitions later,
            boolean encodeAhead,
            Feed feed)
            throws Exception {
        return run(golden, settings, golden.start(), tracker(golden, start, later), encodeAhead, feed);
    }

    private static SchemaTracker tracker(GoldenCase golden, Map<TableName, String> start, TableDefinitions later)
            throws Exception {
        SchemaTracker tracker = new SchemaTracker(later, golden.traits());
        if ("false".equals(golden.settings().getProperty("canal.instance.tsdb.enable"))) {
            tracker.catalog().tables().spellAsSource();
        }
        define(start, tracker);
        return tracker;
    }

    private static void define(Map<TableName, String> tables, SchemaTracker tracker) throws Exception {
        for (Map.Entry<TableName, String> table : tables.entrySet()) {
            tracker.catalog().define(table.getKey(), table.getValue());
        }
    }

    private static List<Entry> run(
            GoldenCase golden,
            GoldenSettings settings,
            BinlogPosition from,
            SchemaTracker tracker,
            boolean encodeAhead,
            Feed feed)
            throws Exception {
        StreamOptions options = settings.options();
        TableFilter filter = settings.filter();
        boolean gtid = "true".equals(golden.settings().getProperty("canal.instance.gtidon"));
        EventReader reader = new EventReader(
                SourceServer.at("localhost", 3306),
                from,
                gtid ? GtidSet.parse(golden.settings().getProperty("canal.instance.master.gtid")) : null,
                options,
                tracker,
                filter,
                ColumnTypes.defaults(ZoneOffset.UTC),
                new ReaderOptions(HiddenColumns.NONE, settings.mappingBytes(), Time.SYSTEM));
        ExecutorService encoders = Executors.newFixedThreadPool(2);
        List<Entry> entries = new ArrayList<>();
        try (EntryRing ring = new EntryRing(RING);
                StreamPipeline pipeline = new StreamPipeline(
                        reader,
                        ring,
                        encodeAhead && settings.encodesAhead() ? new EncodingPool(encoders) : null,
                        4,
                        settings.thinsBoundaries(),
                        () -> {},
                        Time.SYSTEM)) {
            feed.into(pipeline);
            pipeline.drain();
            entries.addAll(taken(ring));
        } finally {
            encoders.shutdownNow();
        }
        return entries;
    }

    /** Takes all entries that are in a store. */
    static List<Entry> taken(EntryStore store) {
        Batch all = store.getIfReady(BatchLimit.entries(Integer.MAX_VALUE), Readiness.ANY);
        return all == null ? List.of() : all.entries();
    }

    /** The flat messages of entries, in order. */
    static List<byte[]> flat(List<Entry> entries) {
        List<byte[]> messages = new ArrayList<>();
        MessageEncoder encoder = new FlatFormat().newEncoder();
        for (Entry entry : entries) {
            ByteWriter out = new ByteWriter(256);
            if (encoder.encode(entry, new BatchOrigin(1, 1), out)) {
                messages.add(out.toByteArray());
            }
        }
        return messages;
    }

    /** The serialized form of entries, in order. */
    static List<byte[]> raw(List<Entry> entries) {
        ProtobufEncoder encoder = new ProtobufEncoder();
        return entries.stream().map(entry -> protobuf(encoder, entry)).toList();
    }

    static byte[] protobuf(Entry entry) {
        return protobuf(new ProtobufEncoder(), entry);
    }

    private static byte[] protobuf(ProtobufEncoder encoder, Entry entry) {
        ByteWriter out = new ByteWriter(256);
        encoder.encode(entry, out);
        return out.toByteArray();
    }
}
