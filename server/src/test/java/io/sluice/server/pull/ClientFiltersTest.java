package io.sluice.server.pull;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.schema.filter.TableFilter;
import io.sluice.store.cursor.CursorStore;
import io.sluice.store.cursor.MemoryCursorStore;
import io.sluice.store.cursor.Subscription;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ClientFiltersTest {
    private static final String ATTACK = ".*".repeat(45) + "x";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ClientFilters.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final CursorStore cursors = new MemoryCursorStore();
    private final TableFilter tables = new TableFilter("shop\\..*", "shop\\.secret");
    private final ClientFilters filters = new ClientFilters("example", tables, cursors);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

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
        assertThat(warnings()).isEmpty();
    }

    @Test
    void aPoisonedFilterIsRemovedAtARestart() {
        cursors.subscribe(7, ATTACK);
        cursors.subscribe(8, "shop\\.(orders");
        cursors.subscribe(9, "");

        filters.restore();

        assertThat(tables.passes("shop", "a".repeat(64))).isTrue();
        assertThat(kept()).containsExactly("", "", "");
        assertThat(warnings()).hasSize(2);
        assertThat(warnings().get(0)).contains("client=7", "the expression .*.*.*", "fewer repetitions");
        assertThat(warnings().get(1)).contains("client=8", "never closed");
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
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("clients=[7, 9]", "whether shop.orders matches .*.*");
    }
}
