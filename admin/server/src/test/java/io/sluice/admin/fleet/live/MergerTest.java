package io.sluice.admin.fleet.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.admin.config.InstanceRow;
import io.sluice.admin.fleet.server.ServerRow;
import io.sluice.admin.fleet.watch.InstanceReport;
import io.sluice.admin.fleet.watch.OwnProblems;
import io.sluice.admin.fleet.watch.ServerState;
import io.sluice.admin.fleet.watch.ServerStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergerTest {
    private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
    private static final ServerRow ALONE = server(1, "alone", null);
    private static final ServerRow LEFT = server(2, "left", 9L);
    private static final ServerRow RIGHT = server(3, "right", 9L);

    private static ServerRow server(long id, String name, Long cluster) {
        return new ServerRow(
                id,
                name,
                "10.0.0." + id,
                11110,
                null,
                null,
                cluster,
                cluster == null ? null : "pair",
                "https://h:1",
                "x");
    }

    private static ServerStatus answering(InstanceReport... reports) {
        return new ServerStatus("sluice", ServerState.RUNNING, null, "1", OwnProblems.NONE, NOW, List.of(reports));
    }

    private static ServerStatus silent() {
        return answering().failed(ServerState.UNREACHABLE, "no answer");
    }

    private static InstanceReport report(String name, String state) {
        return report(name, state, 0);
    }

    private static InstanceReport report(String name, String state, long cursorUnwrittenSeconds) {
        return new InstanceReport(
                name,
                state,
                !state.equals("failed"),
                InstanceReport.Pace.NONE,
                10,
                100,
                1,
                new InstanceReport.Source(5, 4, null, 0, -1),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                cursorUnwrittenSeconds);
    }

    private static Fleet merge(List<InstanceRow> instances, Map<Long, ServerStatus> statuses) {
        return Merger.merge(new Configured(List.of(ALONE, LEFT, RIGHT), instances, Map.of(9L, "pair")), statuses, NOW);
    }

    private static InstanceRow managed(String name, Long cluster, Long server, boolean enabled) {
        return new InstanceRow(1, name, cluster, server, enabled);
    }

    @Test
    void aClusterRunsAnInstanceOnOneServer() {
        Fleet fleet = merge(
                List.of(managed("shop", 9L, null, true)),
                Map.of(2L, answering(report("shop", "not_here")), 3L, answering(report("shop", "running"))));

        InstanceView shop = fleet.instances().get("shop");
        assertThat(shop.summary().state()).isEqualTo("running");
        assertThat(shop.summary().runningOn()).isEqualTo("right");
        assertThat(shop.summary().clusterName()).isEqualTo("pair");
        assertThat(shop.summary().healthy()).isTrue();
        assertThat(InstanceDetail.of(shop, List.of()).servers())
                .extracting(InstanceDetail.OnServer::state)
                .containsExactly("not_here", "running");
        assertThat(fleet.overview().rowsPerSecond()).isEqualTo(10);
        assertThat(fleet.overview().problems()).isEmpty();
        assertThat(fleet.servers())
                .extracting(server ->
                        "%s has %d of %d".formatted(server.row().name(), server.running(), server.instances()))
                .contains("left has 0 of 1", "right has 1 of 1");
    }

    /** They may all run, and deliver. */
    @Test
    void howManyInstancesAServerRunsIsNotKnownWhileItDoesNotAnswer() {
        Fleet fleet = merge(
                List.of(managed("shop", null, 1L, true), managed("till", 9L, null, true)),
                Map.of(1L, silent(), 2L, answering(report("till", "stopped"))));

        assertThat(fleet.servers())
                .extracting(server -> server.row().name() + " " + server.running() + " of " + server.instances())
                .containsExactlyInAnyOrder("alone null of 1", "left 0 of 1", "right null of 1");
    }

    /** It still delivers what is in flight, so that no other server has it. */
    @Test
    void anInstanceThatIsBeingStoppedIsWhereItWasAndCountsAsStopped() {
        Fleet fleet = merge(
                List.of(managed("shop", 9L, null, true)),
                Map.of(2L, answering(report("shop", "stopping")), 3L, answering(report("shop", "stopped"))));

        assertThat(fleet.instances().get("shop").summary().runningOn()).isEqualTo("left");
        assertThat(shop(fleet)).isEqualTo("stopping true null []");
        assertThat(fleet.overview().instances().stopped()).isEqualTo(1);
    }

    @Test
    void twoRunnersAreAProblem() {
        Fleet fleet = merge(
                List.of(), Map.of(1L, answering(report("shop", "running")), 3L, answering(report("shop", "running"))));

        assertThat(fleet.instances().get("shop").summary().healthy()).isFalse();
        assertThat(fleet.overview().problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.kind()).isEqualTo("runs_twice"));
    }

    /** It is written every second, so a moment is no problem yet. */
    @Test
    void aCursorThatIsNotWrittenIsAProblem() {
        assertThat(shop(merge(List.of(), Map.of(1L, answering(report("shop", "running", 9))))))
                .isEqualTo("running true null []");

        Fleet fleet = merge(List.of(), Map.of(1L, answering(report("shop", "running", 70))));

        assertThat(shop(fleet)).isEqualTo("running false null [cursor]");
        assertThat(fleet.instances().get("shop").summary().cursorUnwrittenSeconds())
                .isEqualTo(70);
        assertThat(fleet.overview().problems().get(0).message())
                .startsWith("its cursor has not been written for 1 min 10 s");
    }

    /** What a server said before it became silent is no state of now. */
    @Test
    void aSilentServerLeavesItsInstancesUnknown() {
        Fleet fleet = merge(List.of(managed("shop", null, 1L, true)), Map.of(1L, silent()));

        assertThat(fleet.instances().get("shop").summary().state()).isEqualTo("unknown");
        assertThat(fleet.overview().instances().unknown()).isEqualTo(1);
        assertThat(fleet.overview().problems()).extracting(FleetProblem::kind).containsExactly("server_unreachable");
    }

    @Test
    void statesWithoutARunner() {
        Fleet fleet = merge(
                List.of(
                        managed("off", null, 1L, false),
                        managed("lost", null, 1L, true),
                        managed("halted", null, 1L, true),
                        managed("nowhere", 77L, null, true)),
                Map.of(1L, answering(report("halted", "stopped"))));

        assertThat(fleet.instances().values())
                .extracting(view -> view.summary().name() + "=" + view.summary().state() + " "
                        + view.summary().healthy())
                .containsExactly(
                        "halted=stopped true", "lost=not_here false", "nowhere=unknown false", "off=disabled true");
        assertThat(fleet.overview().problems())
                .extracting(FleetProblem::kind)
                .containsExactlyInAnyOrder("not_running", "no_server");
    }

    /** It is stopped on one server for maintenance, and the other one, which should run it, does not. */
    @Test
    void anInstanceIsStoppedOnlyIfNoServerIsLeftForIt() {
        List<InstanceRow> shop = List.of(managed("shop", 9L, null, true));
        ServerStatus stopped = answering(report("shop", "stopped"));

        assertThat(shop(merge(shop, Map.of(2L, stopped, 3L, answering(report("shop", "not_here"))))))
                .isEqualTo("not_here false no server runs it; it is stopped on left [not_running]");
        assertThat(shop(merge(shop, Map.of(2L, stopped, 3L, answering()))))
                .isEqualTo("not_here false no server runs it; it is stopped on left [not_running]");
        assertThat(shop(merge(shop, Map.of(2L, stopped, 3L, silent()))))
                .isEqualTo("unknown false no server that could run it answers; it is stopped on left"
                        + " [server_unreachable]");
        assertThat(shop(merge(shop, Map.of(2L, stopped, 3L, stopped)))).isEqualTo("stopped true null []");
    }

    /** It runs, but would not be taken over. */
    @Test
    void anInstanceThatIsStoppedOnAllOtherServersIsAProblem() {
        List<InstanceRow> shop = List.of(managed("shop", 9L, null, true));
        ServerStatus running = answering(report("shop", "running"));

        Fleet fleet = merge(shop, Map.of(2L, answering(report("shop", "stopped")), 3L, running));
        assertThat(shop(fleet)).isEqualTo("running true null [no_standby]");
        assertThat(fleet.overview().problems().get(0).message())
                .isEqualTo("it runs on right, and no other server would take it over; it is stopped on left");
        assertThat(shop(merge(shop, Map.of(2L, answering(report("shop", "not_here")), 3L, running))))
                .isEqualTo("running true null []");
        assertThat(shop(merge(shop, Map.of(2L, silent(), 3L, running))))
                .isEqualTo("running true null [server_unreachable]");
    }

    private static String shop(Fleet fleet) {
        InstanceSummary summary = fleet.instances().get("shop").summary();
        return "%s %s %s %s"
                .formatted(
                        summary.state(),
                        summary.healthy(),
                        summary.problem(),
                        fleet.overview().problems().stream()
                                .map(FleetProblem::kind)
                                .toList());
    }

    @Test
    void anInstanceThatIsNotAddedYetIsPendingWithTheReason() {
        InstanceReport waiting = new InstanceReport(
                "shop",
                "pending",
                true,
                InstanceReport.Pace.NONE,
                0,
                0,
                -1,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "till is being changed",
                null,
                -1);

        assertThat(shop(merge(List.of(managed("shop", 9L, null, true)), Map.of(2L, answering(waiting)))))
                .isEqualTo("pending false till is being changed [configuration]");
    }

    private static InstanceReport notEnded() {
        return new InstanceReport(
                "shop",
                "not_ended",
                false,
                InstanceReport.Pace.NONE,
                0,
                0,
                -1,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "its cursor was not written",
                null,
                -1);
    }

    @Test
    void anInstanceWhoseRemovalHasFailedDoesNotCountAsOneThatRunsThere() {
        assertThat(shop(merge(List.of(managed("shop", 9L, null, false)), Map.of(2L, answering(notEnded())))))
                .startsWith("disabled false on ")
                .endsWith(" its cursor was not written [removal]");
        assertThat(shop(merge(List.of(), Map.of(2L, answering(notEnded())))))
                .startsWith("not_ended false on ")
                .endsWith(" its cursor was not written [removal]");
        assertThat(shop(merge(
                        List.of(managed("shop", 9L, null, true)),
                        Map.of(1L, answering(notEnded()), 2L, answering(InstanceReport.running("shop"))))))
                .startsWith("running true")
                .endsWith("[removal]");
        assertThat(shop(merge(
                        List.of(managed("shop", null, 2L, true)),
                        Map.of(1L, answering(notEnded()), 2L, answering(report("shop", "stopped"))))))
                .startsWith("stopped false on ")
                .endsWith("[removal]");
    }

    /** Which is not the same as one that waits for a server. */
    @Test
    void anInstanceWhoseConfigurationIsWrongSaysSo() {
        InstanceReport wrong = new InstanceReport(
                "wrong",
                "invalid",
                false,
                InstanceReport.Pace.NONE,
                0,
                0,
                -1,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                "a bad line",
                null,
                -1);

        Fleet fleet = merge(
                List.of(managed("wrong", 9L, null, true)),
                Map.of(2L, answering(wrong), 3L, answering(report("other", "running"))));

        assertThat(fleet.instances().get("wrong").summary().state()).isEqualTo("invalid");
        assertThat(fleet.instances().get("wrong").summary().healthy()).isFalse();
        assertThat(InstanceDetail.of(fleet.instances().get("wrong"), List.of()).configurationProblem())
                .isEqualTo("a bad line");
        assertThat(fleet.overview().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.kind()).isEqualTo("configuration");
            assertThat(problem.message()).contains("never right: a bad line");
        });
    }

    @Test
    void aFailedOneOnOneServerMayRunOnAnother() {
        Fleet fleet = merge(
                List.of(managed("shop", 9L, null, true)),
                Map.of(2L, answering(report("shop", "failed")), 3L, answering(report("shop", "running"))));

        assertThat(fleet.instances().get("shop").summary().runningOn()).isEqualTo("right");
    }

    @Test
    void problemsKeepTheirBeginningAsLongAsTheyLast() {
        ProblemMemory memory = new ProblemMemory();
        Overview first = memory.ordered(merge(List.of(), Map.of(1L, silent())).overview());
        Fleet later = Merger.merge(
                new Configured(List.of(ALONE), List.of(), Map.of()), Map.of(1L, silent()), NOW.plusSeconds(60));

        assertThat(first.problems().get(0).since()).isEqualTo(NOW);
        assertThat(memory.ordered(later.overview()).problems().get(0).since()).isEqualTo(NOW);
    }

    /** It may be tried again between, which is not the end of the problem. */
    @Test
    void aProblemThatComesBackSoonHasLastedAllTheTime() {
        ProblemMemory memory = new ProblemMemory();
        Map<Long, ServerStatus> silent = Map.of(1L, silent());
        Configured alone = new Configured(List.of(ALONE), List.of(), Map.of());
        memory.ordered(Merger.merge(alone, silent, NOW).overview());
        memory.ordered(
                Merger.merge(alone, Map.of(1L, answering()), NOW.plusSeconds(5)).overview());

        Overview again =
                memory.ordered(Merger.merge(alone, silent, NOW.plusSeconds(20)).overview());
        memory.ordered(Merger.merge(alone, Map.of(1L, answering()), NOW.plusSeconds(140))
                .overview());
        Overview later =
                memory.ordered(Merger.merge(alone, silent, NOW.plusSeconds(150)).overview());

        assertThat(again.problems()).extracting(FleetProblem::since).containsExactly(NOW);
        assertThat(later.problems()).extracting(FleetProblem::since).containsExactly(NOW.plusSeconds(150));
    }

    /** Or one source that is unreachable would hide all that began later, and all warnings. */
    @Test
    void aProblemThatManyInstancesHaveLeavesRoomForOthers() {
        List<FleetProblem> problems = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            problems.add(problem("error", "many-%03d".formatted(i), "left", "no progress for 1 min %d s".formatted(i)));
        }
        problems.add(problem("error", "till", "right", "it has failed: PURGED"));
        problems.add(problem("warning", "stock", "left", "its cursor has not been written for 12 s"));
        problems.add(problem("warning", "store", "right", "its cursor has not been written for 1 h 3 min"));
        Overview overview = merge(List.of(), Map.of()).overview();

        Overview ordered = new ProblemMemory().ordered(overview.withProblems(problems, problems.size()));

        assertThat(ordered.problems())
                .extracting(problem -> "%s %d %d %s"
                        .formatted(problem.instance(), problem.group(), problem.groupSize(), problem.groupServer()))
                .containsExactly(
                        "many-000 0 300 left",
                        "many-001 0 300 left",
                        "many-002 0 300 left",
                        "many-003 0 300 left",
                        "many-004 0 300 left",
                        "till 1 1 right",
                        "stock 2 2 null",
                        "store 2 2 null");
        assertThat(ordered.problemCount()).isEqualTo(303);
        List<FleetProblem> fewer = problems.subList(210, 303);
        assertThat(new ProblemMemory()
                        .ordered(overview.withProblems(fewer, fewer.size()))
                        .problems())
                .as("of as many as can be shown, all are")
                .hasSize(93);
    }

    private static FleetProblem problem(String severity, String instance, String server, String message) {
        return new FleetProblem(
                severity, instance, server.equals("left") ? 2L : 3L, server, "a kind", message, "a remedy", NOW);
    }

    @Test
    void theLargestLagIsThatOfDeliveryIfAllWasRead() {
        Fleet fleet = merge(List.of(), Map.of(1L, answering(behind("read", 4, 95), behind("unread", 30, 0))));
        Fleet unknown = merge(List.of(), Map.of(1L, answering(behind("lost", -1, 0))));

        assertThat(fleet.overview().maxLagSeconds()).isEqualTo(95);
        assertThat(unknown.overview().maxLagSeconds()).isNull();
    }

    @Test
    void theProblemOfAStalledSourceIsItsError() {
        InstanceReport report = failing(
                "retrying",
                new InstanceReport.Failure("unreachable", "check the host"),
                new InstanceReport.Stall("source", 294, "nothing is read"),
                "cannot connect to db:3306: Connection refused");

        Fleet fleet = merge(List.of(), Map.of(1L, answering(report)));

        assertThat(fleet.overview().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.message())
                    .isEqualTo("its source cannot be read: cannot connect to db:3306: Connection refused");
            assertThat(problem.remedy()).isEqualTo("check the host");
        });
        assertThat(fleet.overview().instances().retrying()).isEqualTo(1);
        assertThat(fleet.overview().instances().stalled()).isZero();
        assertThat(fleet.instances().get("shop").summary().problem())
                .isEqualTo("its source cannot be read: cannot connect to db:3306: Connection refused");
    }

    /** Its state is then as that of any instance that reads. */
    @Test
    void aSourceThatIsReadWhileItsServerIdIsUsedTwiceIsNotOneThatCannotBeRead() {
        InstanceReport.Failure twice = new InstanceReport.Failure("duplicate_server_id", "give each an id of its own");

        assertThat(problem(failing("running", twice, null, "a replica with the same server id has connected")))
                .isEqualTo("another replica uses its server id: a replica with the same server id has connected");
        assertThat(problem(failing("retrying", twice, null, null)))
                .isEqualTo("its source cannot be read: duplicate_server_id");
        assertThat(merge(List.of(), Map.of(1L, answering(failing("running", twice, null, null))))
                        .overview()
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.message()).isEqualTo("another replica uses its server id");
                    assertThat(problem.remedy()).isEqualTo("give each an id of its own");
                });
    }

    @Test
    void aSourceThatIsReadWhereItsAddressDoesNotLeadIsNotOneThatCannotBeRead() {
        InstanceReport.Failure other = new InstanceReport.Failure("other_server", "see where the address leads");

        assertThat(problem(failing("running", other, null, null)))
                .isEqualTo("its address leads to another server, and nothing comes from the one that is read");
    }

    @Test
    void aProblemSaysWhichErrorIsItsReasonIfThatIsKnown() {
        InstanceReport.Failure purged = new InstanceReport.Failure("purged", "load the tables again");
        InstanceReport.Stall broker = new InstanceReport.Stall("broker", 3700, "it does not acknowledge");

        assertThat(problem(failing("failed", purged, null, "the binlog was purged")))
                .isEqualTo("it has failed: the binlog was purged");
        assertThat(problem(failing("failed", purged, null, null))).isEqualTo("it has failed: purged");
        assertThat(problem(failing("running", null, broker, "not leader")))
                .isEqualTo("no progress for 1 h 1 min, stage broker: not leader");
        assertThat(problem(failing("running", null, broker, null)))
                .isEqualTo("no progress for 1 h 1 min, stage broker");
    }

    private static @Nullable String problem(InstanceReport report) {
        return merge(List.of(), Map.of(1L, answering(report)))
                .instances()
                .get("shop")
                .summary()
                .problem();
    }

    private static InstanceReport failing(
            String state,
            InstanceReport.@Nullable Failure failure,
            InstanceReport.@Nullable Stall stall,
            @Nullable String cause) {
        return new InstanceReport(
                "shop",
                state,
                false,
                InstanceReport.Pace.NONE,
                0,
                0,
                0,
                null,
                null,
                null,
                null,
                failure,
                stall,
                cause,
                null,
                null,
                0);
    }

    private static InstanceReport behind(String name, long lagSeconds, long deliveryDelaySeconds) {
        return new InstanceReport(
                name,
                "running",
                true,
                InstanceReport.Pace.NONE,
                10,
                100,
                deliveryDelaySeconds,
                new InstanceReport.Source(5, lagSeconds, null, 0, -1),
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                0);
    }
}
