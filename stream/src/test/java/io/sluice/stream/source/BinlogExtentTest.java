package io.sluice.stream.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinlogExtentTest {
    /** The source's clock is five seconds ahead of ours. */
    private static final BinlogExtent BINLOG = new BinlogExtent(
            List.of(
                    new ServerFacts.File("a.000001", 1_000),
                    new ServerFacts.File("a.000002", 2_000),
                    new ServerFacts.File("a.000003", 500)),
            new BinlogPosition("a.000003", 400),
            5_000);

    @ParameterizedTest
    @CsvSource({
        "a.000003, 400, 0, 0",
        "a.000003, 450, 0, 0", // it has grown since it was asked
        "a.000004, 4, 0, 0",
        "a.000003, 100, 65, 300",
        "a.000002, 1500, 65, 900",
        "a.000001, 1000, 65, 2400",
    })
    void theLagIsTheDistanceToTheEnd(String file, long offset, long seconds, long bytes) {
        assertThat(BINLOG.lag(new BinlogPosition(file, offset), 40_000, 100_000))
                .isEqualTo(new Lag(seconds, bytes));
    }
}
