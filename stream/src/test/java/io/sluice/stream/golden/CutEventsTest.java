package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.entry.Entry;
import io.sluice.mysql.binlog.ListedEvents;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Recorded events, read in pieces as large ones are. */
class CutEventsTest {
    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(List.of("mysql-8.0.31"), List.of("01", "04", "05", "06", "08", "14")).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void largeEventsReadInPiecesMakeTheSameEntries(GoldenCase golden) throws Exception {
        List<byte[]> events = Compression.events(golden);

        requireSame(golden, events, true, 1);
        requireSame(golden, events, false, 2);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void compressedEventsReadInPiecesMakeTheSameEntries(GoldenCase golden) throws Exception {
        requireSame(golden, Compression.packed(Compression.events(golden), new Random(1)), true, 3);
    }

    private static void requireSame(GoldenCase golden, List<byte[]> events, boolean encodeAhead, long seed)
            throws Exception {
        List<Entry> whole = GoldenRun.entries(golden, new ListedEvents(events), encodeAhead);

        List<Entry> cut = GoldenRun.entries(golden, new CutEvents(events, new Random(seed)), encodeAhead);

        assertThat(GoldenRun.raw(cut))
                .as("seed %d", seed)
                .usingElementComparator(Arrays::compare)
                .isEqualTo(GoldenRun.raw(whole));
        assertThat(ChangeIdsTest.ids(cut)).isEqualTo(ChangeIdsTest.ids(whole));
    }
}
