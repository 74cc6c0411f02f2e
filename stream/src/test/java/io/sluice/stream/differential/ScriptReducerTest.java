package io.sluice.stream.differential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScriptReducerTest {
    private static final List<Integer> NUMBERS = IntStream.range(0, 100).boxed().toList();

    @Test
    void leavesWhatThePropertyNeedsInItsOrder() {
        assertThat(ScriptReducer.reduce(NUMBERS, some -> some.containsAll(List.of(97, 3, 4)), () -> true))
                .containsExactly(3, 4, 97);
        assertThat(ScriptReducer.reduce(NUMBERS, some -> some.size() % 2 == 0, () -> true))
                .hasSize(2);
        assertThat(ScriptReducer.reduce(List.of(1), some -> true, () -> true)).containsExactly(1);
    }

    @Test
    void keepsAListWithThePropertyWhenTheTimeIsOver() {
        AtomicInteger tests = new AtomicInteger();

        List<Integer> left =
                ScriptReducer.reduce(NUMBERS, some -> some.contains(70), () -> tests.incrementAndGet() <= 2);

        assertThat(left).contains(70).hasSizeLessThan(NUMBERS.size());
    }
}
