package io.sluice.connector.api.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.connector.api.deliver.SenderSimulation.Mistake;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Thousands of simulated senders. {@code -Dsluice.seeds=100000} simulates more of them, {@code -Dsluice.seed=4711} one with its log.
 */
@Timeout(600)
class SenderSimulationTest {
    private static final int SEEDS = Integer.getInteger("sluice.seeds", 2_000);
    private static final int SEEDS_WITH_A_MISTAKE = 200;

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("io.sluice.connector.api.deliver");

    @BeforeAll
    static void silence() {
        if (Long.getLong("sluice.seed") == null) {
            LOGGER.setLevel(Level.OFF); // of each failure it would say something
        }
    }

    @AfterAll
    static void speak() {
        LOGGER.setLevel(null);
    }

    @Test
    void whateverFailsNothingIsLostOrOutOfOrder() {
        Long only = Long.getLong("sluice.seed");
        LongStream seeds = only == null ? LongStream.range(0, SEEDS) : LongStream.of(only);
        seeds.forEach(seed -> violation(seed, Mistake.NONE)
                .ifPresent(violation -> fail("run it with -Dsluice.seed=" + seed, violation)));
    }

    /** Or it would prove nothing. */
    @ParameterizedTest
    @EnumSource(names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void findsMistakes(Mistake mistake) {
        long found = LongStream.range(0, SEEDS_WITH_A_MISTAKE)
                .filter(seed -> violation(seed, mistake).isPresent())
                .count();

        assertThat(found).isGreaterThan(SEEDS_WITH_A_MISTAKE / 20);
    }

    private static Optional<Throwable> violation(long seed, Mistake mistake) {
        try {
            new SenderSimulation(seed, mistake).run();
            return Optional.empty();
        } catch (RuntimeException | AssertionError e) {
            return Optional.of(e);
        }
    }
}
