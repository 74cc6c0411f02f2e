package io.sluice.server.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.server.simulation.InstanceSimulation.Result;
import java.util.ArrayList;
import java.util.List;
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
 * Simulated instances: other ones in each run, and with {@code -Pthorough} always the same besides. {@code -Dsluice.simulation.seeds=100000}
 * simulates more of them, {@code -Dsluice.simulation.seed=4711} one, with its log.
 */
class InstanceSimulationTest {
    private static final int SEEDS = Integer.getInteger("sluice.simulation.seeds", 100);
    private static final int FIRST_SEEDS = 300;
    private static final int MAX_SEEDS_WITH_A_MISTAKE = 2_000;
    private static final int SEEDS_RUN_TWICE = 5;
    private static final int FIRST_SEEDS_RUN_TWICE = 20;
    private static final long SEED_BOUND = 1_000_000_000;

    /** Of so many starts one may be rejected, since columns are not known. */
    private static final int MOST_REJECTED = 8;

    /** By chance more of a few seeds: of 100, in which 6 are expected (measured: 34 of 550), 33. With 10 expected that were once in 1e10 runs. */
    private static final int MOST_REJECTED_BY_CHANCE = 20;

    private static final org.slf4j.Logger LOG = LoggerFactory.getLogger("simulation");
    private static final Logger PRODUCT = (Logger) LoggerFactory.getLogger("io.sluice");
    private static final Level LEVEL = PRODUCT.getLevel();

    @BeforeAll
    static void silence() {
        if (Long.getLong("sluice.simulation.seed") == null) {
            PRODUCT.setLevel(Level.OFF); // it would log each fault
        }
    }

    @AfterAll
    static void speak() {
        PRODUCT.setLevel(LEVEL);
    }

    private static LongStream seeds(LongStream many) {
        Long only = Long.getLong("sluice.simulation.seed");
        return only == null ? many : LongStream.of(only);
    }

    private static LongStream otherSeeds(int count) {
        return seeds(new Random().longs(count, 0, SEED_BOUND));
    }

    private static LongStream firstSeeds(int count) {
        return seeds(LongStream.range(0, count));
    }

    @Test
    void whateverFailsNothingIsLostMisnamedOrOutOfOrder() {
        requireNoFailure(otherSeeds(SEEDS), 1 + SEEDS / MOST_REJECTED + MOST_REJECTED_BY_CHANCE);
    }

    @Tag("thorough")
    @Test
    void whateverFailedInTheFirstSeedsNothingIsLostMisnamedOrOutOfOrder() {
        requireNoFailure(firstSeeds(FIRST_SEEDS), 1 + FIRST_SEEDS / MOST_REJECTED);
    }

    private static void requireNoFailure(LongStream seeds, int mostRejected) {
        List<String> failures = new ArrayList<>();
        long[] lives = {0};
        List<Long> rejected = new ArrayList<>();
        seeds.takeWhile(seed -> failures.isEmpty()).forEach(seed -> {
            Result result = InstanceSimulation.run(seed, Mistake.NONE);
            lives[0] += result.lives();
            if (result.isRejected()) {
                rejected.add(seed);
            }
            if (result.failure() != null) {
                failures.add(result.failure());
            }
        });

        assertThat(failures).as("run it with -Dsluice.simulation.seed").isEmpty();
        assertThat(rejected).as("seeds whose start was rejected").hasSizeLessThanOrEqualTo(mostRejected);
        LOG.warn("processes={} rejectedStarts={}", lives[0], rejected.size());
    }

    @Test
    void aSeedAlwaysMakesTheSameRun() {
        requireSameRuns(otherSeeds(SEEDS_RUN_TWICE));
    }

    @Tag("thorough")
    @Test
    void eachOfTheFirstSeedsAlwaysMakesTheSameRun() {
        requireSameRuns(firstSeeds(FIRST_SEEDS_RUN_TWICE));
    }

    private static void requireSameRuns(LongStream seeds) {
        seeds.forEach(seed -> assertThat(InstanceSimulation.run(seed, Mistake.NONE))
                .as("seed %d, for -Dsluice.simulation.seed", seed)
                .isEqualTo(InstanceSimulation.run(seed, Mistake.NONE)));
    }

    /** Otherwise the simulation would prove nothing. */
    @Tag("thorough")
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void findsAMistake(Mistake mistake) {
        List<Long> found = new ArrayList<>();
        firstSeeds(MAX_SEEDS_WITH_A_MISTAKE).takeWhile(seed -> found.isEmpty()).forEach(seed -> {
            String failure = InstanceSimulation.run(seed, mistake).failure();
            if (failure != null && InstanceSimulation.run(seed, Mistake.NONE).failure() == null) {
                found.add(seed);
                LOG.warn(
                        "mistake={} seed={} failure={}",
                        mistake,
                        seed,
                        failure.lines().findFirst().orElse(""));
            }
        });

        assertThat(found).isNotEmpty();
    }
}
