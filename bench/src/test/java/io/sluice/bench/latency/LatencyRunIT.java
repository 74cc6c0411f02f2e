package io.sluice.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.bench.BridgeInThisProcess;
import io.sluice.bench.latency.Moments.Span;
import io.sluice.bench.record.Format;
import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.mysql.MySqlServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(600)
class LatencyRunIT {
    @TempDir
    private static Path folder;

    private static MySqlServer mysql;
    private static KafkaServer kafka;
    private static LatencyRun run;

    @BeforeAll
    static void startServers() {
        mysql = MySqlServer.start();
        kafka = KafkaServer.start();
        run = new LatencyRun(mysql, kafka, folder, 2);
    }

    @AfterAll
    static void stopServers() {
        run.stop();
        kafka.close();
        mysql.close();
    }

    @ParameterizedTest
    @EnumSource
    void everyScheduledChangeArrives(Format form) throws Exception {
        Duration leadIn = Duration.ofMillis(200);
        Duration length = Duration.ofSeconds(1);
        List<Schedule> loads = List.of(Schedule.steady(500, leadIn, length), Schedule.idle(leadIn, length));

        List<Figures> figures =
                run.measure(new BridgeInThisProcess(), form, Schedule.idle(Duration.ZERO, leadIn), loads);

        assertThat(figures.stream().map(one -> one.moments().schedule())).isEqualTo(loads);
        assertThat(figures).allSatisfy(one -> {
            assertThat(one.moments().wrongTransactions()).isZero();
            assertThat(one.millis(Span.SENT_TO_READABLE, 0)[0]).isPositive();
        });
    }
}
