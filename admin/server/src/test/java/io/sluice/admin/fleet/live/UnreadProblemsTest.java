package io.sluice.admin.fleet.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.config.OwnerKind;
import io.sluice.admin.config.UnreadChanges.Change;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.OwnProblems;
import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnreadProblemsTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final Change CHANGE = new Change(OwnerKind.INSTANCE, "shop", NOW, null);

    /** The problems of one server, so many seconds after the change. */
    private static List<FleetProblem> problems(String controlUrl, ServerState state, Change change, long seconds) {
        ServerStatus status = new ServerStatus("sluice", state, null, "1", OwnProblems.NONE, NOW, List.of());
        return problems(controlUrl, status, List.of(change), seconds);
    }

    private static List<FleetProblem> problems(
            String controlUrl, ServerStatus status, List<Change> changes, long seconds) {
        ServerRow row = new ServerRow(1, "one", "10.0.0.1", 11110, null, null, null, null, controlUrl, "x");
        Fleet fleet = Merger.merge(
                new Configured(List.of(row), List.of(), Map.of()), Map.of(1L, status), NOW.plusSeconds(seconds));
        Overview none = Fleet.empty(NOW).overview();
        return UnreadProblems.added(
                        none, fleet.servers(), id -> id == 1 ? changes : List.of(), NOW.plusSeconds(seconds))
                .problems();
    }

    @Test
    void aServerThatGetsARequestOrAsksRegularlyIsNoProblem() {
        assertThat(problems("https://h:1", ServerState.RUNNING, CHANGE, 10)).isEmpty();
        assertThat(problems(null, ServerState.RUNNING, CHANGE, 10)).isEmpty();
    }

    @Test
    void aServerWithoutAControlUrlThatDoesNotAskHasToBeRestarted() {
        assertThat(problems(null, ServerState.RUNNING, CHANGE, 20))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo("configuration_unread");
                    assertThat(problem.instance()).isEqualTo("shop");
                    assertThat(problem.remedy()).contains("restart the server", "canal.auto.scan = true");
                    assertThat(problem.since()).isEqualTo(NOW);
                });
    }

    @Test
    void aServerThatDoesNotAnswerIsAProblemAtOnce() {
        assertThat(problems("https://h:1", ServerState.UNREACHABLE, CHANGE, 0))
                .singleElement()
                .satisfies(problem -> assertThat(problem.remedy()).contains("restore the connection"));
    }

    /** A server has the reason of a rejected reload, too. */
    @Test
    void whatWasRejectedIsOneProblem() {
        ServerStatus status = new ServerStatus(
                "sluice",
                ServerState.RUNNING,
                null,
                "1",
                new OwnProblems("canal.zkServers has changed", null, List.of("canal.zkServers")),
                NOW,
                List.of());
        Change rejected = new Change(OwnerKind.SERVER, "1", NOW, "canal.zkServers has changed");
        assertThat(problems("https://h:1", status, List.of(rejected), 0))
                .extracting(FleetProblem::kind)
                .containsExactly("server_configuration_unread");
        assertThat(problems("https://h:1", status, List.of(CHANGE), 0))
                .extracting(FleetProblem::kind)
                .containsExactly("server_configuration_rejected");
        assertThat(problems("https://h:1", status, List.of(), 0))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.serverId()).isEqualTo(1);
                    assertThat(problem.remedy()).contains("reload the server");
                });
    }

    @Test
    void keysThatWaitForARestartAreNamed() {
        ServerStatus status = new ServerStatus(
                "sluice",
                ServerState.RUNNING,
                null,
                "1",
                new OwnProblems(null, null, List.of("kafka.acks", "canal.port")),
                NOW,
                List.of());
        assertThat(problems("https://h:1", status, List.of(), 0))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.kind()).isEqualTo("server_restart_needed");
                    assertThat(problem.serverId()).isEqualTo(1);
                    assertThat(problem.message())
                            .isEqualTo(
                                    "changed keys are not in force on one until it is restarted: kafka.acks, canal.port");
                    assertThat(problem.remedy()).contains("restart the process");
                });
    }

    @Test
    void theReasonOfARejectedReloadIsShown() {
        Change rejected = new Change(OwnerKind.SERVER, "1", NOW, "canal.serverMode has changed: restart the server");
        assertThat(problems("https://h:1", ServerState.RUNNING, rejected, 0))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.instance()).isNull();
                    assertThat(problem.message())
                            .isEqualTo("the newest canal.properties is not in force on one: "
                                    + "canal.serverMode has changed: restart the server");
                });
    }
}
