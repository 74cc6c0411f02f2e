package io.sluice.connector.api.convert;

import io.sluice.connector.api.producer.PartitionsUnknownException;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.format.split.RowSplitter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Routes entries, whole or split by row: each row goes to the partition of its key, and rows with different message keys go into different
 * messages. Transaction boundaries are left out where their rows may be in several topics and partitions. Thread-safe.
 */
final class RowRouter {
    private final Router router;

    /** The route of all entries, if there is only one. */
    private final @Nullable Route fixed;

    private final boolean inPackets;
    private final boolean keepsBoundaries;
    private final boolean splitsAll;
    private final KeyChange keyChange;
    private final DdlPartition ddl;

    /** Receives the entries that are dealt out, oldest first within a partition. */
    @FunctionalInterface
    interface Taker {
        void take(String topic, int partition, byte @Nullable [] key, Entry entry);
    }

    /**
     * Makes one.
     *
     * @param inPackets whether each row that goes by a key is an entry of its own, and columns are found by their names in
     *     any case, both as in canal's protobuf form; else rows that go to one partition stay together
     * @param keepsBoundaries whether boundaries of transactions are dealt out too, each to the partition of its schema and table, which are
     *     empty; for routers that are fixed
     */
    RowRouter(Router router, boolean inPackets, boolean keepsBoundaries, KeyChange keyChange, DdlPartition ddl) {
        this(router, inPackets, keepsBoundaries, false, keyChange, ddl);
    }

    private RowRouter(
            Router router,
            boolean inPackets,
            boolean keepsBoundaries,
            boolean splitsAll,
            KeyChange keyChange,
            DdlPartition ddl) {
        this.router = router;
        this.fixed = router.isFixed() ? router.route("", "") : null;
        this.inPackets = inPackets;
        this.keepsBoundaries = keepsBoundaries;
        this.splitsAll = splitsAll;
        this.keyChange = keyChange;
        this.ddl = ddl;
    }

    /** Returns a router that deals all entries by the same counts of partitions; itself if these do not change. For one thread at a time. */
    RowRouter pinned() {
        Router pinned = router.pinned();
        return pinned == router ? this : new RowRouter(pinned, inPackets, keepsBoundaries, splitsAll, keyChange, ddl);
    }

    /** See {@link Router#unavailable}. */
    Map<String, PartitionsUnknownException> unavailable() {
        return router.unavailable();
    }

    /** Returns a router that deals to the same partitions, but each row as an entry of its own, also rows without a key. */
    RowRouter splittingAll() {
        return new RowRouter(router, inPackets, keepsBoundaries, true, keyChange, ddl);
    }

    /** The topic that an entry goes to. */
    String topicOf(Entry entry) {
        return routeOf(entry).topic();
    }

    private Route routeOf(Entry entry) {
        Route only = fixed;
        return only == null ? router.route(entry.schemaName(), entry.tableName()) : only;
    }

    void deal(Entry entry, RowSplitter splitter, Taker taker) {
        EntryKind kind = entry.kind();
        if (!keepsBoundaries && (kind == EntryKind.BEGIN || kind == EntryKind.END)) {
            return;
        }
        Route route = routeOf(entry);
        if (fixed != null && !splitsAll && route.partitioning() instanceof Partitioning.One one) {
            taker.take(route.topic(), one.partition(), null, entry);
            return;
        }
        if (kind != EntryKind.ROWS) {
            dealWithoutRows(entry, route, taker);
            return;
        }
        Partitioning partitioning = route.partitioning();
        RowKey partitionKey = partitioning instanceof Partitioning.ByKey byKey ? byKey.key() : null;
        boolean isKeyed = partitionKey != null || route.messageKey() != null;
        if (!isKeyed && (!splitsAll || entry.rowCount() == 1)) {
            taker.take(route.topic(), partitionOf(partitioning, 0), null, entry);
            return;
        }
        RowPieces pieces = splitter.split(
                entry,
                new RowCut(partitionKey, route.messageKey(), inPackets, isKeyed && keyChange == KeyChange.SPLIT));
        if (inPackets || splitsAll || pieces.count() == 1) {
            for (int i = 0; i < pieces.count(); i++) {
                int partition = partitionOf(partitioning, pieces.hash(i));
                taker.take(route.topic(), partition, pieces.messageKey(i), pieces.entryOf(i));
            }
        } else {
            dealRuns(pieces, route, taker);
        }
    }

    private static void dealRuns(RowPieces pieces, Route route, Taker taker) {
        int[] partitions = new int[pieces.count()];
        for (int i = 0; i < partitions.length; i++) {
            partitions[i] = partitionOf(route.partitioning(), pieces.hash(i));
        }
        for (int[] run : PieceRuns.of(pieces, partitions)) {
            taker.take(route.topic(), partitions[run[0]], pieces.messageKey(run[0]), pieces.entryOf(run));
        }
    }

    private void dealWithoutRows(Entry entry, Route route, Taker taker) {
        Partitioning partitioning = route.partitioning();
        if (partitioning instanceof Partitioning.One one) {
            taker.take(route.topic(), one.partition(), null, entry);
            return;
        }
        int count = entry.kind() == EntryKind.DDL && ddl == DdlPartition.ALL ? countOf(partitioning) : 1;
        for (int partition = 0; partition < count; partition++) {
            taker.take(route.topic(), partition, null, entry);
        }
    }

    private static int countOf(Partitioning partitioning) {
        return partitioning instanceof Partitioning.ByKey byKey
                ? byKey.count()
                : ((Partitioning.ByTable) partitioning).count();
    }

    /** The partition of rows. */
    private static int partitionOf(Partitioning partitioning, int hash) {
        if (partitioning instanceof Partitioning.ByKey byKey) {
            return byKey.partitionOf(byKey.seed() ^ hash);
        }
        return partitioning instanceof Partitioning.One one
                ? one.partition()
                : ((Partitioning.ByTable) partitioning).partition();
    }
}
