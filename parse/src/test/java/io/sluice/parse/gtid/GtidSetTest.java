package io.sluice.parse.gtid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GtidSetTest {
    private static final String SOURCE = "323b686a-e4de-11f1-8f50-02fc00000001";

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 20);
    }

    @ParameterizedTest
    @CsvSource({
        "1-3, 4, 1-4",
        "1-3, 5, 1-3:5",
        "1-3:5, 4, 1-5",
        "5-9, 1, 1:5-9",
        "1-10, 5, 1-10",
        "2-3:7-9, 6, 2-3:6-9",
    })
    void joinsIntervals(String before, long added, String after) {
        GtidSet set = GtidSet.parse(SOURCE + ":" + before);

        set.add(UUID.fromString(SOURCE), added);

        assertThat(set).hasToString(SOURCE + ":" + after);
    }

    @Test
    void readsWhatMySqlPrints() {
        GtidSet set = GtidSet.parse(
                SOURCE.toUpperCase(java.util.Locale.ROOT) + ":1-5:7,\n aaaaaaaa-0000-0000-0000-00000000000a:3");

        assertThat(set.contains(UUID.fromString(SOURCE), 7)).isTrue();
        assertThat(set.contains(UUID.fromString(SOURCE), 6)).isFalse();
        assertThat(set.contains(UUID.fromString("aaaaaaaa-0000-0000-0000-00000000000a"), 3))
                .isTrue();
        assertThat(GtidSet.parse("").isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", SOURCE, SOURCE + ":0", SOURCE + ":5-3", SOURCE + ":tag:1", SOURCE + ":1-2-3", "1-2:3"})
    void refusesWhatIsNoSet(String text) {
        assertThatThrownBy(() -> GtidSet.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not a GTID set");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void holdsExactlyWhatWasAdded(long seed) {
        Random random = new Random(seed);
        UUID source = UUID.fromString(SOURCE);
        GtidSet set = new GtidSet();
        Set<Long> added = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            long number = 1L + random.nextInt(120);
            set.add(source, number);
            added.add(number);
        }

        GtidSet read = GtidSet.parse(set.toString());

        for (long number = 1; number <= 121; number++) {
            assertThat(read.contains(source, number))
                    .as("%d of seed %d", number, seed)
                    .isEqualTo(added.contains(number));
        }
    }
}
