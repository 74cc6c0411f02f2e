package io.sluice.stream.source.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.server.ServerFacts;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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

    private final List<ServerFacts.File> files = new ArrayList<>(BINLOG.files());
    private BinlogPosition end = BINLOG.end();
    private int listed;
    private final ServerFacts facts = (ServerFacts) Proxy.newProxyInstance(
            ServerFacts.class.getClassLoader(),
            new Class<?>[] {ServerFacts.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "files" -> {
                    listed++;
                    yield List.copyOf(files);
                }
                case "end" -> new ServerFacts.End(end, null);
                case "clockMillis" -> 5_000L;
                default -> throw new AssertionError(method);
            });

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

    @Test
    void aFileLargerThanHeadersStateIsFoundByItsSize() {
        long gib = 1L << 30;
        BinlogExtent binlog = new BinlogExtent(
                List.of(new ServerFacts.File("a.000001", 5 * gib), new ServerFacts.File("a.000002", 3 * gib)),
                new BinlogPosition("a.000003", 4 * gib + 1),
                0);

        assertThat(binlog.exceedsHeaders("a.000001")).isTrue();
        assertThat(binlog.exceedsHeaders("a.000002")).isFalse();
        assertThat(binlog.exceedsHeaders("a.000003")).isTrue();
        assertThat(binlog.exceedsHeaders("a.000004")).isFalse();
    }

    private BinlogExtent next(BinlogExtent before, BinlogPosition read) throws IOException {
        return BinlogExtent.of(facts, before, read, 0);
    }

    private static long bytes(BinlogExtent binlog, BinlogPosition read) {
        return binlog.lag(read, 40_000, 100_000).bytes();
    }

    /** The server opens all of its files for that, and commits wait. */
    @Test
    void theFilesAreNotListedForAReaderInTheLastOne() throws IOException {
        BinlogPosition read = new BinlogPosition("a.000003", 100);

        BinlogExtent first = next(null, read);
        end = new BinlogPosition("a.000003", 480);
        BinlogExtent second = next(first, read);

        assertThat(listed).isZero();
        assertThat(bytes(first, read)).isEqualTo(300);
        assertThat(bytes(second, read)).isEqualTo(380);
        assertThat(bytes(second, new BinlogPosition("a.000004", 4)))
                .as("in a file that is newer")
                .isZero();
        assertThat(second.lag(new BinlogPosition("a.000002", 4), 40_000, 100_000))
                .as("gone back")
                .isEqualTo(Lag.UNKNOWN);
    }

    @Test
    void theFilesAreListedOnceForAReaderBehindTheLastOneAndAgainAfterARotation() throws IOException {
        BinlogPosition read = new BinlogPosition("a.000002", 1500);

        BinlogExtent first = next(null, read);
        end = new BinlogPosition("a.000003", 700);
        BinlogExtent second = next(first, read);
        assertThat(listed).isEqualTo(1);
        assertThat(bytes(first, read)).isEqualTo(900);
        assertThat(bytes(second, read)).isEqualTo(1200);

        files.set(2, new ServerFacts.File("a.000003", 900));
        files.add(new ServerFacts.File("a.000004", 50));
        end = new BinlogPosition("a.000004", 50);
        assertThat(bytes(next(second, read), read)).isEqualTo(500 + 900 + 50);
        assertThat(listed).isEqualTo(2);
    }

    @Test
    void aRotationBetweenTheTwoQueriesIsListedOnce() throws IOException {
        BinlogPosition read = new BinlogPosition("a.000002", 1500);
        files.set(2, new ServerFacts.File("a.000003", 900));
        files.add(new ServerFacts.File("a.000004", 50));

        BinlogExtent first = next(null, read);
        end = new BinlogPosition("a.000004", 60);

        assertThat(bytes(first, read)).isEqualTo(500 + 400);
        assertThat(bytes(next(first, read), read)).isEqualTo(500 + 900 + 60);
        assertThat(listed).isEqualTo(1);
    }

    @Test
    void theFilesAreListedWhileNothingWasReadYet() throws IOException {
        assertThat(next(null, null).files()).isEqualTo(BINLOG.files());
    }
}
