package io.sluice.server.pull;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.server.pull.UnstoredChanges.UnstoredChange;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UnstoredChangesTest {
    private static final int CLIENT = 1001;
    private static final List<Subscription> NONE = List.of();
    private static final List<Subscription> ALL_TABLES = subscribed("");
    private static final List<Subscription> SHOP = subscribed("shop\\..*");

    private final UnstoredChanges changes = new UnstoredChanges();

    private static List<Subscription> subscribed(String filter) {
        return List.of(new Subscription(CLIENT, filter, null, 1));
    }

    private UnstoredChange begin(List<Subscription> before, List<Subscription> after) {
        return Objects.requireNonNull(changes.begin(CLIENT, before, after, false));
    }

    private boolean hasUnstored() {
        return changes.begin(CLIENT, SHOP, SHOP, false) != null;
    }

    @Test
    void aRequestThatChangesNothingIsNotStored() {
        assertThat(changes.begin(CLIENT, SHOP, SHOP, false)).isNull();
    }

    @Test
    void aCursorThatMovesMeanwhileIsNoChange() {
        List<Subscription> moved = List.of(
                SHOP.get(0).withCursor(new Cursor("db", 3306, new BinlogPosition("binlog.000001", 4), "", 1, 0)));

        assertThat(changes.begin(CLIENT, SHOP, moved, false)).isNull();
    }

    @Test
    void aClientWithoutACursorIsStoredOnce() {
        UnstoredChange first = changes.begin(CLIENT, SHOP, SHOP, true);

        assertThat(first).isNotNull();
        assertThat(changes.begin(CLIENT, SHOP, SHOP, true)).isSameAs(first);
    }

    @Test
    void aRepeatedRequestWaitsForTheNewestChange() {
        begin(NONE, ALL_TABLES);
        UnstoredChange newest = begin(ALL_TABLES, SHOP);

        assertThat(changes.begin(CLIENT, SHOP, SHOP, false)).isSameAs(newest);
    }

    @Test
    void aStoredChangeHasThoseBeforeIt() {
        UnstoredChange first = begin(NONE, ALL_TABLES);
        UnstoredChange second = begin(ALL_TABLES, SHOP);

        assertThat(changes.stored(second)).isTrue();

        assertThat(hasUnstored()).isFalse();
        assertThat(changes.failed(first)).isFalse();
        assertThat(changes.stored(first)).isTrue();
    }

    @Test
    void aStoredChangeLeavesThoseAfterIt() {
        UnstoredChange first = begin(NONE, ALL_TABLES);
        UnstoredChange second = begin(ALL_TABLES, SHOP);

        assertThat(changes.stored(first)).isTrue();

        assertThat(changes.begin(CLIENT, SHOP, SHOP, false)).isSameAs(second);
        assertThat(changes.failed(second)).isTrue();
    }

    @Test
    void aFailedChangeTakesBackThoseAfterIt() {
        UnstoredChange first = begin(NONE, ALL_TABLES);
        UnstoredChange second = begin(ALL_TABLES, SHOP);

        assertThat(changes.failed(first)).isTrue();

        assertThat(first.before()).isEqualTo(NONE);
        assertThat(changes.stored(second)).isFalse();
        assertThat(changes.failed(second)).isFalse();
        assertThat(hasUnstored()).isFalse();
    }

    @Test
    void aFailedChangeLeavesThoseBeforeIt() {
        UnstoredChange first = begin(NONE, ALL_TABLES);
        UnstoredChange second = begin(ALL_TABLES, SHOP);

        assertThat(changes.failed(second)).isTrue();

        assertThat(second.before()).isEqualTo(ALL_TABLES);
        assertThat(changes.stored(first)).isTrue();
    }

    @Test
    void changesOfAnotherClientAreNotConcerned() {
        UnstoredChange own = begin(NONE, SHOP);
        UnstoredChange others = Objects.requireNonNull(changes.begin(CLIENT + 1, NONE, SHOP, false));

        assertThat(changes.failed(others)).isTrue();

        assertThat(changes.stored(own)).isTrue();
    }
}
