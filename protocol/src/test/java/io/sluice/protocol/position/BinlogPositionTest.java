package io.sluice.protocol.position;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinlogPositionTest {
    @ParameterizedTest
    @CsvSource({
        "b.000001, 4, b.000001, 5, -1",
        "b.000001, 5, b.000001, 5, 0",
        "b.000002, 4, b.000001, 900, 1",
        "b.999999, 4, b.1000000, 4, -1",
        "a.b.000009, 4, a.b.000010, 4, -1",
    })
    void ordersByTheNumberOfTheFileAndThenByOffset(String file, long offset, String otherFile, long other, int order) {
        assertThat(new BinlogPosition(file, offset).compareTo(new BinlogPosition(otherFile, other)))
                .isEqualTo(OptionalInt.of(order));
        assertThat(new BinlogPosition(otherFile, other).compareTo(new BinlogPosition(file, offset)))
                .isEqualTo(OptionalInt.of(-order));
    }

    @ParameterizedTest
    @CsvSource({"mysql-bin.000001, binlog.000002", "b.000001, b.x.000002", "b.000001, b.old", "b, c", "'', b.000001"})
    void filesOfAnotherSeriesHaveNoOrder(String file, String other) {
        assertThat(new BinlogPosition(file, 4).compareTo(new BinlogPosition(other, 4)))
                .isEmpty();
        assertThat(new BinlogPosition(file, 4).isBefore(new BinlogPosition(other, 4)))
                .isFalse();
    }
}
