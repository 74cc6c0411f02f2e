package io.sluice.server.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.protocol.time.Time;
import io.sluice.schema.filter.IncludeList;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import io.sluice.store.cursor.file.FileCursorStore;
import io.sluice.testkit.log.LogLines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientFiltersTest {
    private static final String ATTACK = ".*".repeat(45) + "x";
    private static final Cursor CURSOR = new Cursor("db1", 3306, new BinlogPosition("binlog.000001", 4), "", 1, 0);

    @AutoClose
    private final LogLines log = LogLines.of(ClientFilters.class);

    private final CursorStore cursors = new MemoryCursorStore();
    private final TableFilter tables = new TableFilter("shop\\..*", "shop\\.secret");
    private final ClientFilters filters = new ClientFilters("example", tables, cursors);

    private List<String> kept() {
        return cursors.subscriptions().stream().map(Subscription::filter).toList();
    }

    @Test
    void theFiltersOfSubscriptionsAreInForceAfterARestart() {
        cursors.subscribe(1001, "till\\..*");

        filters.restore();

        assertThat(tables.passes("till", "sales")).isTrue();
        assertThat(tables.passes("shop", "orders")).isFalse();
        assertThat(kept()).containsExactly("till\\..*");
        assertThat(log.warnings()).isEmpty();
    }

    /** The include list in force in the next instance that uses the store. */
    private static String restored(CursorStore store) {
        TableFilter next = new TableFilter("configured\\..*", "");
        new ClientFilters("example", next, store).restore();
        return next.includedTables();
    }

    private void subscribe(int client, String filter) {
        IncludeList judged = filters.judged(filter);
        filters.subscribe(client, judged);
        filters.putIntoForce(client, judged);
    }

    @Test
    void theNewestFilterIsInForceAfterARestart() {
        subscribe(1002, "b\\..*");
        subscribe(1001, "a\\..*");
        assertThat(tables.includedTables()).isEqualTo("a\\..*");

        assertThat(restored(cursors)).isEqualTo("a\\..*");
        CursorStore moved = new MemoryCursorStore(); // as by a reload
        moved.replaceAll(cursors.kept());
        assertThat(restored(moved)).isEqualTo("a\\..*");

        subscribe(1002, "c\\..*");
        assertThat(restored(cursors)).isEqualTo("c\\..*");
        cursors.unsubscribe(1002);
        assertThat(restored(cursors)).isEqualTo("a\\..*");
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void aFilterThatIsStoredLaterThanANewerOneIsNotPutIntoForce() {
        IncludeList older = filters.judged("a\\..*");
        filters.subscribe(1001, older);
        subscribe(1002, "b\\..*");

        filters.putIntoForce(1001, older);

        assertThat(tables.includedTables()).isEqualTo("b\\..*");
    }

    @Test
    void soItIsIfItIsReadFromAFile(@TempDir Path dir) {
        ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
        try {
            try (CursorStore store = FileCursorStore.open(dir, "example", scheduler, Duration.ofDays(1), Time.SYSTEM)) {
                ClientFilters first = new ClientFilters("example", tables, store);
                first.subscribe(1002, first.judged("b\\..*"));
                first.subscribe(1001, first.judged("a\\..*"));
            }
            try (CursorStore store = FileCursorStore.open(dir, "example", scheduler, Duration.ofDays(1), Time.SYSTEM)) {
                assertThat(restored(store)).isEqualTo("a\\..*");
            }
        } finally {
            scheduler.shutdownNow();
        }
    }

    @Test
    void aSubscriptionWithoutAFilterKeepsTheOneInForce() {
        subscribe(1001, "a\\..*");

        filters.subscribe(1001);

        assertThat(tables.includedTables()).isEqualTo("a\\..*");
        assertThat(restored(cursors)).isEqualTo("a\\..*");

        subscribe(1002, "b\\..*");
        filters.subscribe(1001);
        filters.subscribe(1003);

        assertThat(kept()).containsExactly("a\\..*", "b\\..*", "");
        assertThat(tables.includedTables()).isEqualTo("b\\..*");
        assertThat(restored(cursors)).as("it is still the newest").isEqualTo("b\\..*");
        unsubscribe(1002);
        assertThat(tables.includedTables()).isEqualTo("a\\..*");
    }

    @Test
    void theNewestOfTheOthersIsInForceWhenItsClientUnsubscribes() {
        subscribe(1003, "c\\..*");
        subscribe(1002, "b\\..*");
        subscribe(1001, "a\\..*");
        filters.subscribe(1004);

        unsubscribe(1003);
        assertThat(tables.includedTables()).as("it was not in force").isEqualTo("a\\..*");
        unsubscribe(1001);
        assertThat(tables.includedTables()).isEqualTo("b\\..*");
        assertThat(restored(cursors)).isEqualTo("b\\..*");
        unsubscribe(1002);
        assertThat(tables.includedTables()).as("the configured one").isEqualTo("shop\\..*");
        assertThat(tables.passes("shop", "orders")).isTrue();
        assertThat(log.warnings()).isEmpty();
    }

    private void unsubscribe(int client) {
        if (filters.unsubscribe(client)) {
            filters.restore();
        }
    }

    @Test
    void aRefusedFilterOfARemainingClientIsPassedOver() {
        subscribe(1003, "c\\..*");
        cursors.subscribe(1002, ATTACK);
        subscribe(1001, "a\\..*");

        unsubscribe(1001);

        assertThat(tables.includedTables()).isEqualTo("c\\..*");
        assertThat(kept()).containsExactly("", "c\\..*");
    }

    /** Else the rows that the client continues with when it comes back would lack what was read meanwhile. */
    @Test
    void theFilterOfTheLastClientIsInForceUntilAnotherOneSubscribes() {
        subscribe(1001, "a\\..*");
        cursors.save(1001, CURSOR);

        unsubscribe(1001);
        assertThat(tables.includedTables()).isEqualTo("a\\..*");
        assertThat(restored(cursors)).isEqualTo("a\\..*");
        assertThat(filters.subscribe(1001)).isFalse();
        assertThat(tables.includedTables()).isEqualTo("a\\..*");
        assertThat(restored(cursors)).isEqualTo("a\\..*");

        unsubscribe(1001);
        assertThat(filters.subscribe(1002)).isTrue();
        filters.restore();
        assertThat(tables.includedTables()).as("the configured one").isEqualTo("shop\\..*");
        assertThat(restored(cursors)).isEqualTo("configured\\..*");
    }

    @Test
    void aRefusedFilterOfAClientThatHasLeftIsRemoved() {
        cursors.subscribe(1001, ATTACK);
        cursors.save(1001, CURSOR);
        cursors.unsubscribe(1001);

        filters.restore();

        assertThat(tables.includedTables()).isEqualTo("shop\\..*");
        assertThat(cursors.kept()).containsExactly(new Subscription(1001, "", CURSOR, 0, true));
        assertThat(cursors.subscriptions()).isEmpty();
    }

    @Test
    void whichOfTheFiltersThatCanalHasStoredIsInForceIsReported() {
        cursors.replaceAll(List.of(
                new Subscription(7, "a\\..*", null),
                new Subscription(8, "b\\..*", null),
                new Subscription(9, "b\\..*", null)));

        assertThat(restored(cursors)).isEqualTo("b\\..*");

        assertThat(log.warnings()).singleElement().asString().contains("client=9", "filter=b\\..*", "others=[7]");
    }

    @Test
    void aStoredFilterOfBlanksIsNone() {
        cursors.replaceAll(List.of(new Subscription(7, "a\\..*", null, 1), new Subscription(8, "  ", null, 2)));

        assertThat(restored(cursors)).isEqualTo("a\\..*");
    }

    @Test
    void aPoisonedFilterIsRemovedAtARestart() {
        cursors.subscribe(7, ATTACK);
        cursors.subscribe(8, "shop\\.(orders");
        cursors.subscribe(9, "");

        filters.restore();

        assertThat(tables.passes("shop", "a".repeat(64))).isTrue();
        assertThat(kept()).containsExactly("", "", "");
        assertThat(log.warnings()).hasSize(2);
        assertThat(log.warnings().get(0)).contains("client=8", "never closed");
        assertThat(log.warnings().get(1)).contains("client=7", "the expression .*.*.*", "fewer repetitions");
    }

    /** The filter is not judged here, like one that the judge accepts by mistake. */
    @Test
    void aFilterThatFailsAtANameIsRemovedAndTheConfiguredOneDecides() {
        cursors.subscribe(7, ATTACK);
        cursors.subscribe(8, "shop\\..*");
        cursors.subscribe(9, ATTACK);
        tables.include(ATTACK);
        int version = tables.version();

        assertThat(tables.passes("shop", "orders")).isTrue();
        assertThat(tables.passes("shop", "secret")).isFalse();
        assertThat(tables.passes("till", "a".repeat(64))).isFalse();
        assertThat(tables.passes("shop", "b".repeat(64))).isTrue();

        assertThat(tables.version()).isEqualTo(version + 1);
        assertThat(kept()).containsExactly("", "shop\\..*", "");
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("clients=[7, 9]", "whether shop.orders matches .*.*");
    }
}
