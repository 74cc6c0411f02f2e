package io.sluice.admin.fleet.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.admin.fleet.live.Stage;
import io.sluice.admin.fleet.live.Stages;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReportReaderTest {
    /** As a server sends it. */
    static final String RUNNING = """
            [{"destination":"shop","state":"running","healthy":true,"paused":false,"pauseReason":null,"pausedSince":null,
            "pauseAt":null,"limits":{"rowsPerSecond":0,"bytesPerSecond":0},
            "throughput":{"rowsPerSecond":120,"bytesPerSecond":9000},
            "source":{"lagBytes":77,"lagSeconds":3,"newestEvent":"2026-03-01T10:00:00Z","receivedBytes":1000,"xaUndecided":0,
            "resets":0},"deliveryDelaySeconds":2,
            "store":{"entries":5,"bytes":500,"capacityEntries":16384,"capacityBytes":16777216,"readRows":100,"deliveredRows":42},
            "sender":{"state":"running","batchesInFlight":1,"deliveredMessages":40,"deliveredBytes":4000,"failures":0,
            "resentMessages":0,"skippedMessages":0,"deadLetters":0,"silenceSeconds":0.1},"cursorUnwrittenSeconds":12,
            "position":{"source":"db:3306","file":"binlog.000012","offset":4711,"gtidSet":null,"time":null},
            "configurationProblem":null,"retryAt":null}]""";

    @Test
    void readsWhatAServerSends() {
        List<InstanceReport> first = ReportReader.read(RUNNING, List.of(), 0);
        InstanceReport shop = ReportReader.read(
                        RUNNING.replace("\"receivedBytes\":1000", "\"receivedBytes\":5000")
                                .replace("\"readRows\":100", "\"readRows\":500"),
                        first,
                        2000)
                .get(0);

        assertThat(shop.name()).isEqualTo("shop");
        assertThat(shop.rowsPerSecond()).isEqualTo(120);
        assertThat(shop.source()).isEqualTo(new InstanceReport.Source(77, 3, "2026-03-01T10:00:00Z", 5000, 2000));
        assertThat(shop.position()).isEqualTo(new Position("db:3306", "binlog.000012", 4711L, null, null, null));
        assertThat(shop.cursorUnwrittenSeconds()).isEqualTo(12);
        assertThat(first.get(0).source().receivedPerSecond()).isNegative();
        assertThat(Stages.of(shop)).extracting(Stage::state).containsExactly("ok", "ok", "ok", "ok");
        assertThat(Stages.of(shop)).extracting(Stage::rate).containsExactly(2000L, 200L, null, 120L);
        assertThat(Stages.of(shop).get(2).detail()).isEqualTo("500 B / 16 MiB");
        assertThat(Stages.of(first.get(0)).get(1).rate()).isNull();
    }

    /** As a server does with the longest ones of all its instances. */
    @Test
    void aGtidSetThatIsLeftOutIsKnownByItsLength() {
        InstanceReport shop = ReportReader.read(
                        RUNNING.replace("\"gtidSet\":null", "\"gtidSet\":null,\"gtidSetCharacters\":3145728"),
                        List.of(),
                        2000)
                .get(0);

        assertThat(shop.position()).isEqualTo(new Position("db:3306", "binlog.000012", 4711L, null, 3_145_728L, null));
    }

    /** An older server does not report it. */
    @Test
    void aNumberThatIsNotReportedIsUnknown() {
        String older = RUNNING.replace("\"cursorUnwrittenSeconds\":12,", "");

        assertThat(ReportReader.read(older, List.of(), 0).get(0).cursorUnwrittenSeconds())
                .isNegative();
    }

    @Test
    void rejectsWhatIsNoList() {
        assertThatThrownBy(() -> ReportReader.read("<html>", List.of(), 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReportReader.read("{}", List.of(), 0)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Whatever a server sends, it is read, or rejected as no list; its amount is bounded. */
    @ParameterizedTest
    @MethodSource("seeds")
    void anyTextIsReadOrRejected(long seed) {
        Random random = new Random(seed);
        StringBuilder text = new StringBuilder(RUNNING);
        for (int i = 0; i < 1 + random.nextInt(6); i++) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(4)) {
                case 0 -> text.setCharAt(at, (char) (32 + random.nextInt(96)));
                case 1 -> text.deleteCharAt(at);
                case 2 ->
                    text.insert(
                            at,
                            List.of("null", "[]", "{}", "-1", "1e99", "\"x\"").get(random.nextInt(6)));
                default -> text.replace(at, Math.min(text.length(), at + 8), "true");
            }
        }
        try {
            List<InstanceReport> reports = ReportReader.read(text.toString(), List.of(), 0);
            assertThat(reports).as("seed %d", seed).hasSizeLessThanOrEqualTo(1);
            reports.forEach(report -> assertThat(Stages.of(report)).hasSize(4));
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageStartingWith("no ");
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    @Test
    void boundsTextsAndInstances() {
        String many = "["
                + "{\"destination\":\"a\",\"pauseReason\":\"%s\"},"
                        .formatted("x".repeat(5000))
                        .repeat(6000) + "{}]";

        List<InstanceReport> reports = ReportReader.read(many, List.of(), 0);

        assertThat(reports).hasSize(5000);
        assertThat(reports.get(0).pace().reason()).hasSize(4001);
    }
}
