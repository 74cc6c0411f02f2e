package io.sluice.mysql.gtid;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.Intervals.Interval;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals beside a set of the numbers themselves. */
class IntervalsTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void haveTheNumbersThatWereAdded(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            BitSet first = new BitSet();
            BitSet second = new BitSet();
            Intervals one = random(random, first);
            Intervals other = random(random, second);
            assertThat(one.inOrder()).as("seed %d, round %d", seed, round).isEqualTo(intervals(first));
            BitSet left = (BitSet) first.clone();
            left.andNot(second);
            assertThat(one.without(other).inOrder())
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(intervals(left));
            BitSet common = (BitSet) second.clone();
            common.and(first);
            assertThat(one.containsAll(other))
                    .as("seed %d, round %d", seed, round)
                    .isEqualTo(common.equals(second));

            Intervals both = one.copy();
            both.addAll(other);

            assertThat(one.inOrder()).as("seed %d, round %d", seed, round).isEqualTo(intervals(first));
            first.or(second);
            assertThat(both.inOrder()).as("seed %d, round %d", seed, round).isEqualTo(intervals(first));
            assertThat(both.containsAll(other)).isTrue();
            assertThat(both.count()).isEqualTo(first.cardinality());
        }
    }

    private static Intervals random(Random random, BitSet numbers) {
        Intervals intervals = new Intervals();
        int count = random.nextInt(20);
        for (int i = 0; i < count; i++) {
            int first = 1 + random.nextInt(100);
            int last = first + random.nextInt(6);
            intervals.add(first, last);
            numbers.set(first, last + 1);
        }
        return intervals;
    }

    private static List<Interval> intervals(BitSet numbers) {
        List<Interval> all = new ArrayList<>();
        for (int first = numbers.nextSetBit(0); first >= 0; ) {
            int end = numbers.nextClearBit(first);
            all.add(new Interval(first, end - 1));
            first = numbers.nextSetBit(end);
        }
        return all;
    }
}
