package io.sluice.connector.api.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.TextEntry;
import io.sluice.connector.api.route.FixedRouter;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Route;
import io.sluice.connector.api.route.Router;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.protocol.time.Time;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An entry among others that is too large: those before and after it keep their places. */
class ValueLimitTest {
    private static final ValueLimit LIMIT = new ValueLimit(1_000_000, 100_000);
    private static final Router TARGET = new FixedRouter("shop", 0);
    private static final Entry LARGE = large(2);
    private static final Entry OTHER = large(4);
    private static final List<Entry> ENTRIES =
            List.of(TextEntry.of(0), TextEntry.of(1), LARGE, TextEntry.of(3), OTHER, TextEntry.of(5));

    /** Larger than any buffer that a thread has kept from another test. */
    private static Entry large(int number) {
        return new TextEntry(number, EntryKind.ROWS, "x".repeat(5_000_000));
    }

    static Stream<BatchConverter> converters() {
        Router router = router();
        return Stream.of(
                Converters.OF_TEXTS.flat(TARGET, Time.SYSTEM).with(LIMIT),
                Converters.OF_TEXTS
                        .packets(TARGET, PacketStyle.PARSED_WITHOUT_BOUNDARIES, 1_000_000)
                        .with(LIMIT),
                Converters.OF_TEXTS.packets(TARGET, PacketStyle.RAW, 1_000_000).with(LIMIT),
                Converters.OF_TEXTS
                        .flat(router, KeyChange.KEEP, DdlPartition.FIRST, ChangeHeaders.IDS, Time.SYSTEM)
                        .with(LIMIT),
                Converters.OF_TEXTS
                        .packets(router, KeyChange.KEEP, DdlPartition.FIRST, 1_000_000, ChangeHeaders.IDS)
                        .with(LIMIT));
    }

    private static Router router() {
        Route route = new Route("shop", new Partitioning.One(0), null);
        return new Router() {
            @Override
            public Route route(String schema, String table) {
                return route;
            }

            @Override
            public boolean isFixed() {
                return false;
            }
        };
    }

    @ParameterizedTest
    @MethodSource("converters")
    void isRejectedInItsPlace(BatchConverter converter) {
        List<OutgoingMessage> records = converter.convert(7, ENTRIES);

        assertThat(records.stream().filter(record -> record.unmade() != null))
                .hasSize(2)
                .allSatisfy(record -> {
                    assertThat(record.first()).isIn(LARGE, OTHER).isSameAs(record.last());
                    assertThat(record.message().topic()).isEqualTo("shop");
                    assertThat(record.message().value()).isEmpty();
                    assertThat(record.valueBytes()).isGreaterThanOrEqualTo(5_000_000);
                });
        assertThat(records.stream().mapToInt(record -> ((TextEntry) record.first()).number()))
                .isSorted();
        assertThat(records.stream()
                        .filter(record -> record.unmade() == null)
                        .map(OutgoingMessage::last)
                        .toList())
                .containsSubsequence(TextEntry.of(1), TextEntry.of(3), TextEntry.of(5));
    }
}
