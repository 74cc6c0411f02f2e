package io.sluice.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

class SeededTest {
    private static final List<Long> SEEDS = new ArrayList<>();

    /** Tests that fail after they have been given a seed. */
    static final class Failing {
        @Test
        void asAParameter(@Seeded long seed) {
            SEEDS.add(seed);
            fail("it fails");
        }

        @ParameterizedTest
        @ValueSource(strings = "a")
        void afterAnArgument(String argument, @Seeded long seed) {
            SEEDS.add(seed);
            fail(argument);
        }
    }

    /** A test that fails, with a seed of the constructor. */
    static final class FailingOfConstructor {
        FailingOfConstructor(@Seeded long seed) {
            SEEDS.add(seed);
        }

        @Test
        void afterTheConstructor() {
            fail("it fails");
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Failing.class, FailingOfConstructor.class})
    void aFailureHasTheSeed(Class<?> tests) {
        SEEDS.clear();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();

        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        listener);

        assertThat(SEEDS).isNotEmpty();
        assertThat(listener.getSummary().getFailures())
                .flatExtracting(failure -> List.of(failure.getException().getSuppressed()))
                .extracting(Throwable::getMessage)
                .containsExactlyInAnyOrderElementsOf(SEEDS.stream()
                        .map(seed -> "run it again with -Dsluice.seed=" + seed)
                        .toList());
    }

    @Test
    void allParametersOfATestAreOfOneSeed(@Seeded long seed, @Seeded SplittableRandom random, @Seeded Random other) {
        assertThat(random.nextLong()).isEqualTo(new SplittableRandom(seed).nextLong());
        assertThat(other.nextLong()).isEqualTo(new Random(seed).nextLong());
    }
}
