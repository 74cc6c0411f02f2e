package io.sluice.server.destination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A destination that is started again, or gets another configuration; its source cannot be reached. */
@Timeout(300)
class InstanceStartsTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    private Path home;

    private UnreachableShop shop;
    private DestinationRunner runner;

    @BeforeEach
    void make() throws Exception {
        shop = new UnreachableShop(home);
        runner = shop.runner(shop.config("cursors"));
    }

    @AfterEach
    void close() {
        runner.close(Duration.ZERO);
        shop.close();
    }

    @Test
    void oneThatCouldNotBeMadeIsStartedAfterSomethingWasDoneWithItsCursor() {
        shop.startInVain(runner);

        assertThat(runner.whileStopped(() -> {}, LIMIT, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.slot().instance()).isPresent();
        assertThat(runner.slot().hasFailed()).isFalse();
    }

    @Test
    void oneThatIsStoppedStaysSoAfterSomethingWasDoneWithItsCursor() {
        shop.startInVain(runner);
        runner.stop(LIMIT);

        assertThat(runner.whileStopped(() -> {}, LIMIT, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.slot().instance()).isEmpty();
    }

    @Test
    void oneThatFailsAtOnceAfterAReloadIsTriedAgain() throws Exception {
        runner.start();
        shop.beforeMaking = () -> runner.failed(1_000_000);

        assertThat(runner.reload(shop.config("cursors"), LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.retryAt()).isNotNull();
    }

    @Test
    void aReloadEndsTheWaitForTheNextTry() throws Exception {
        runner.start();
        runner.failed(1_000_000);

        assertThat(runner.reload(shop.config("cursors"), LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.retryAt()).isNull();
    }

    @Test
    void oneThatWasStoppedIsNotRestartedWithItsNewConfiguration() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        runner.stop(LIMIT);

        assertThat(runner.restart(shop.config("others"), LIMIT, LIMIT)).isFalse();

        assertThat(runner.instance()).isEmpty();
        assertThat(runner.config()).isSameAs(before);
    }

    @Test
    void oneThatCannotBeStartedAfterSomethingWasDoneWithItsCursorSaysWhy() {
        runner.start();

        assertThat(runner.whileStopped(
                        () -> shop.beforeMaking = () -> {
                            throw new IllegalStateException("no broker");
                        },
                        LIMIT,
                        LIMIT))
                .isEqualTo(new Outcome.Failed("no broker"));

        assertThat(runner.isObstructed()).isTrue();
    }

    @Test
    void oneThatCannotBeStartedAfterWhatWasRefusedForItsCursorSaysBoth() {
        runner.start();
        shop.beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };

        assertThatThrownBy(() -> runner.whileStopped(
                        () -> {
                            throw new CommandRejectedException("the cursor is locked");
                        },
                        LIMIT,
                        LIMIT))
                .isInstanceOf(CommandRejectedException.class)
                .hasMessage("the cursor is locked; nor could the instance be started again: no broker");

        assertThat(runner.isObstructed()).isTrue();
    }

    @Test
    void aConfigurationOfWhichNoInstanceCanBeMadeIsRejectedAndTheOneBeforeContinues() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        failOnce();

        assertThat(runner.reload(shop.config("others"), LIMIT)).isEqualTo(new Outcome.Failed("no broker"));

        assertThat(runner.config()).isSameAs(before);
        assertThat(runner.instance()).isPresent();
        assertThat(runner.hasFailed()).isFalse();
    }

    @Test
    void thatTheOneBeforeCannotContinueEitherIsSaid() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        List<String> told = new ArrayList<>();
        shop.onFailure = (name, cause) -> told.add(cause.getMessage());
        shop.beforeMaking = () -> {
            throw new IllegalStateException("no broker");
        };

        assertThat(runner.reload(shop.config("others"), LIMIT))
                .isEqualTo(new Outcome.Failed("no broker; nor can one be made of the configuration before: no broker"));

        assertThat(runner.config()).isSameAs(before);
        assertThat(runner.isObstructed()).isTrue();
        assertThat(told).containsExactly("no broker");
    }

    @Test
    void theConfigurationBeforeContinuesIfNoInstanceCanBeMadeOfTheNextAfterAChangeOfTheCursor() throws Exception {
        runner.start();
        InstanceConfig before = runner.config();
        InstanceConfig next = shop.config("others");

        assertThat(runner.whileStopped(this::failOnce, () -> next, LIMIT, LIMIT))
                .isEqualTo(new Outcome.Failed("no broker; it continues with the configuration before"));

        assertThat(runner.config()).isSameAs(before);
        assertThat(runner.instance()).isPresent();
    }

    private void failOnce() {
        shop.beforeMaking = () -> {
            shop.beforeMaking = () -> {};
            throw new IllegalStateException("no broker");
        };
    }
}
