package io.sluice.server.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.alarm.Alarm.Phase;
import io.sluice.server.config.alarm.AlarmConfig;
import io.sluice.testkit.time.HandTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When alarms are raised, repeated and reported as over. */
class AlarmLedgerTest {
    private static final String RUNS = "the instance runs and makes progress";
    private static final AlarmConfig RULES = new AlarmConfig(
            List.of(),
            "s1",
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(300),
            Duration.ZERO,
            Duration.ofSeconds(3600),
            2);

    private static final List<AlarmKind> KINDS = List.of(
            AlarmKind.FAILED,
            AlarmKind.STALLED,
            AlarmKind.CONFIGURATION_REFUSED,
            AlarmKind.SOURCE_LOST,
            AlarmKind.BROKER_LOST);

    private final HandTime time = new HandTime();
    private final AlarmLedger ledger = new AlarmLedger(time);

    @Test
    void aFailureIsRaisedAtOnceAndItsEndWhenTheInstanceHasRunForAWhile() {
        Instant before = Instant.ofEpochMilli(time.millis());
        assertThat(look(problem(AlarmKind.FAILED))).singleElement().satisfies(alarm -> {
            assertThat(alarm.phase()).isEqualTo(Phase.RAISED);
            assertThat(alarm.since()).isEqualTo(before);
            assertThat(alarm.remedy()).isEqualTo("look");
        });
        assertThat(lookEachSecond(10, problem(AlarmKind.FAILED))).isEmpty();
        assertThat(lookEachSecond(30, unsettled()))
                .as("a new attempt is no end")
                .isEmpty();
        assertThat(lookEachSecond(4, calm())).isEmpty();
        assertThat(lookEachSecond(4, problem(AlarmKind.FAILED)))
                .as("it is the same failure")
                .isEmpty();

        assertThat(lookEachSecond(20, calm())).singleElement().satisfies(alarm -> {
            assertThat(alarm.phase()).isEqualTo(Phase.RECOVERED);
            assertThat(alarm.what()).isEqualTo(RUNS);
            assertThat(alarm.since()).isEqualTo(before);
            assertThat(alarm.lasting()).isEqualTo(Duration.ofSeconds(49));
        });
    }

    @ParameterizedTest
    @EnumSource(
            value = AlarmKind.class,
            names = {"FAILED", "CONFIGURATION_REFUSED"})
    void aProblemIsNotOverWhileItIsNotKnownWhetherThereAreProblems(AlarmKind kind) {
        assertThat(look(problem(kind))).hasSize(1);

        assertThat(lookEachSecond(60, InstanceProblems.unknown(calm().destination())))
                .isEmpty();

        assertThat(lookEachSecond(20, calm()))
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.phase()).isEqualTo(Phase.RECOVERED));
    }

    @Test
    void aLossIsRaisedOnlyWhenItLasts() {
        for (int i = 0; i < 5; i++) {
            assertThat(lookEachSecond(50, problem(AlarmKind.SOURCE_LOST))).isEmpty();
            assertThat(lookEachSecond(2, calm())).isEmpty();
        }
        assertThat(lookEachSecond(58, problem(AlarmKind.SOURCE_LOST))).isEmpty();
        assertThat(lookEachSecond(2, unsettled())).as("while it tries again").isEmpty();
        assertThat(lookEachSecond(2, problem(AlarmKind.SOURCE_LOST)))
                .singleElement()
                .satisfies(alarm -> {
                    assertThat(alarm.lasting()).isEqualTo(Duration.ofSeconds(60));
                    assertThat(alarm.occurrences())
                            .as("those that were too short do not count")
                            .isOne();
                });
    }

    @Test
    void aLossThatIsCertainIsRaisedAtOnce() {
        assertThat(lookEachSecond(
                        1,
                        new InstanceProblems(
                                "shop",
                                List.of(new InstanceProblem(AlarmKind.SOURCE_LOST, "", "", Duration.ZERO, true)),
                                null)))
                .hasSize(1);
    }

    @Test
    void whatIsKnownToHaveLastedIsRaisedAtOnce() {
        InstanceProblem silent = new InstanceProblem(AlarmKind.BROKER_LOST, "", "look", Duration.ofSeconds(61));

        assertThat(look(new InstanceProblems("shop", List.of(silent), null))).hasSize(1);
    }

    @Test
    void oneThatComesAgainWithinTheIntervalWaitsForItsEnd() {
        assertThat(look(problem(AlarmKind.FAILED))).hasSize(1);
        assertThat(lookEachSecond(10, calm())).hasSize(1);
        for (int i = 0; i < 3; i++) {
            assertThat(lookEachSecond(20, problem(AlarmKind.FAILED))).isEmpty();
            assertThat(lookEachSecond(20, calm()))
                    .as("what was not raised has no end")
                    .isEmpty();
        }
        List<Alarm> later = lookEachSecond(300, problem(AlarmKind.FAILED));

        assertThat(later).singleElement().satisfies(alarm -> {
            assertThat(alarm.phase()).isEqualTo(Phase.RAISED);
            assertThat(alarm.occurrences()).isEqualTo(4);
        });
    }

    @Test
    void whatLastsIsRepeatedALimitedNumberOfTimes() {
        assertThat(lookEachSecond(6 * 3600, problem(AlarmKind.STALLED)))
                .extracting(Alarm::phase)
                .containsExactly(Phase.RAISED, Phase.REPEATED, Phase.REPEATED);
    }

    @Test
    void anInstanceThatIsRemovedHasNoProblemsAnyMore() {
        look(problem(AlarmKind.FAILED));

        List<Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            time.passSeconds(1);
            alarms.addAll(ledger.check(List.of(), RULES));
        }
        assertThat(alarms)
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.what()).contains("removed from the configuration"));
    }

    @Test
    void aRefusedConfigurationIsOverAlsoWhileTheInstanceTriesAgain() {
        look(problem(AlarmKind.CONFIGURATION_REFUSED));

        assertThat(lookEachSecond(10, unsettled()))
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.what()).isEqualTo("the newest configuration is in force"));
    }

    /** Whatever happens: an end follows each raise and nothing else, and raises of a kind keep their interval. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void endsFollowRaisesAndRaisesKeepTheirInterval(long seed) {
        Random random = new Random(seed);
        Map<AlarmKind, Long> raised = new EnumMap<>(AlarmKind.class);
        Map<AlarmKind, Integer> repeats = new EnumMap<>(AlarmKind.class); // of those that are raised
        InstanceProblems now = calm();
        for (long second = 0; second < 20_000; second++) {
            if (random.nextInt(20) == 0) {
                AlarmKind kind = KINDS.get(random.nextInt(KINDS.size()));
                now = random.nextBoolean() ? problem(kind) : random.nextBoolean() ? calm() : unsettled();
            }
            for (Alarm alarm : look(now)) {
                AlarmKind kind = alarm.kind();
                switch (alarm.phase()) {
                    case RAISED -> {
                        assertThat(repeats.put(kind, 0)).isNull();
                        Long before = raised.put(kind, second);
                        assertThat(before == null || second - before >= 300).isTrue();
                    }
                    case REPEATED ->
                        assertThat(repeats.merge(kind, 1, Integer::sum)).isBetween(1, 2);
                    case RECOVERED -> assertThat(repeats.remove(kind)).isNotNull();
                }
            }
            time.passSeconds(1);
        }
        assertThat(raised).isNotEmpty();
    }

    private List<Alarm> look(InstanceProblems standing) {
        return ledger.check(List.of(standing), RULES);
    }

    private List<Alarm> lookEachSecond(int seconds, InstanceProblems standing) {
        List<Alarm> alarms = new ArrayList<>();
        for (int i = 0; i < seconds; i++) {
            time.passSeconds(1);
            alarms.addAll(look(standing));
        }
        return alarms;
    }

    private static InstanceProblems problem(AlarmKind kind) {
        return new InstanceProblems("shop", List.of(new InstanceProblem(kind, "why", "look", Duration.ZERO)), null);
    }

    private static InstanceProblems unsettled() {
        return new InstanceProblems("shop", List.of(), null);
    }

    private static InstanceProblems calm() {
        return new InstanceProblems("shop", List.of(), RUNS);
    }
}
