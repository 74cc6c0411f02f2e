package io.sluice.admin.fleet.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.InstanceReport;
import io.sluice.admin.fleet.watch.OwnProblems;
import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryKeeperTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final ServerRow SERVER =
            new ServerRow(1, "one", "10.0.0.1", 11110, null, null, null, null, "https://h:1", "x");

    private final HistoryKeeper history = new HistoryKeeper(NOW);

    private static Fleet fleet(Instant at) {
        ServerStatus status = new ServerStatus(
                "sluice",
                ServerState.RUNNING,
                null,
                "1",
                OwnProblems.NONE,
                at,
                List.of(InstanceReport.running("shop")));
        return Merger.merge(new Configured(List.of(SERVER), List.of(), Map.of()), Map.of(1L, status), at);
    }

    /** A clock that was ahead and is corrected must not hide what is reported from then on. */
    @Test
    void goesOnWhenTheClockIsSetBack() {
        history.add(fleet(NOW.plus(Duration.ofDays(1))));

        history.add(fleet(NOW));
        history.add(fleet(NOW.plusSeconds(5)));

        assertThat(history.ofAll().rowsPerSecond()).endsWith(0L, 0L);
        assertThat(history.ofInstance("shop").orElseThrow().rowsPerSecond()).endsWith(0L, 0L);
        assertThat(history.ofServer(1).orElseThrow().from()).isBefore(NOW);
    }

    @Test
    void aSecondMoreOrLessChangesNothing() {
        history.add(fleet(NOW));
        history.add(fleet(NOW.plusSeconds(5)));
        history.add(fleet(NOW.plusSeconds(1)));

        assertThat(history.ofAll().rowsPerSecond()).endsWith(0L, 0L);
    }
}
