package io.sluice.server.ha;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.server.ha.OwnershipSimulation.Result;
import io.sluice.server.ha.SimulatedCoordinator.Weakness;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Others in each run, and with {@code -Pthorough} always the same besides. {@code -Dsluice.simulations=1000000} runs more; {@code
 * -Dsluice.simulation.seed} is the first seed.
 */
class OwnershipSimulationTest {
    private static final int RUNS = Integer.getInteger("sluice.simulations", 1_000);
    private static final int FIRST_RUNS = 3_000;
    private static final int SEED_BOUND = 1_000_000_000;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger("simulation");
    private static final Logger HA = (Logger) LoggerFactory.getLogger("io.sluice.server.ha");

    @BeforeAll
    static void beQuiet() {
        HA.setLevel(Level.OFF);
    }

    @AfterAll
    static void beLoud() {
        HA.setLevel(null);
    }

    @Test
    void atMostOneServerDeliversAndOneDoesWhenNothingFails() {
        requireNoFailure(Long.getLong("sluice.simulation.seed", new Random().nextInt(SEED_BOUND)), RUNS);
    }

    @Tag("thorough")
    @Test
    void atMostOneServerDeliversAndOneDoesWhenNothingFailsInTheFirstSeeds() {
        requireNoFailure(1, FIRST_RUNS);
    }

    private static void requireNoFailure(long first, int runs) {
        long owners = 0;
        long events = 0;
        long begin = THREADS.getCurrentThreadCpuTime();
        for (long seed = first; seed < first + runs; seed++) {
            Result result = OwnershipSimulation.run(seed, Weakness.NONE);
            assertThat(result.failure()).as("seed %d", seed).isEmpty();
            owners += result.owners();
            events += result.events();
        }
        assertThat(owners).as("the simulation must be about something").isGreaterThan(3L * runs);
        LOG.warn(
                "simulations={} owners={} events={} cpuMillis={}",
                runs,
                owners,
                events,
                (THREADS.getCurrentThreadCpuTime() - begin) / 1_000_000);
    }

    /** Proof that the simulation finds violations. */
    @ParameterizedTest
    @EnumSource(value = Weakness.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsTwoOwnersWithAWeakness(Weakness weakness) {
        Optional<String> found = LongStream.rangeClosed(1, FIRST_RUNS)
                .mapToObj(seed -> OwnershipSimulation.run(seed, weakness).failure())
                .flatMap(Optional::stream)
                .findFirst();

        assertThat(found).hasValueSatisfying(failure -> assertThat(failure).contains("delivers in epoch"));
    }
}
