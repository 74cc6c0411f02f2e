package io.sluice.server.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.gtid.GtidSet;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.time.Time;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.Outcome;
import io.sluice.server.ha.OwnershipTerm;
import io.sluice.server.instance.DestinationState;
import io.sluice.server.pace.Pace;
import io.sluice.server.pace.PaceStatus;
import io.sluice.server.pace.PauseTarget;
import io.sluice.server.pace.RateLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A destination whose delivery an operator has paused, or is to pause: which of that stays when cursors are moved, or files are changed. */
@Timeout(300)
class DestinationPaceTest {
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

    /** The state of the delivery that another process would take over. */
    private PaceStatus nextProcess(InstanceConfig config) {
        Pace pace = new Pace("shop", shop.pools().timer(), Time.SYSTEM, entries -> {});
        new PaceHome(pace, Runnable::run).begin(config);
        return pace.status();
    }

    @Test
    void aPauseFollowsTheCursorsThatAreMovedWhileItIsStopped() throws Exception {
        InstanceConfig before = runner.slot().config();
        runner.start();
        runner.pace().change(pace -> pace.pause("maintenance"));
        runner.stop(LIMIT);
        InstanceConfig next = shop.config("elsewhere");

        assertThat(runner.reload(next, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(nextProcess(next).reason()).isEqualTo("maintenance");
        assertThat(nextProcess(before).paused())
                .as("with the former configuration")
                .isFalse();
        runner.pace().change(Pace::resume);
        assertThat(nextProcess(next).paused()).as("resumed").isFalse();
    }

    @Test
    void aPauseThatWasLeftInADirectoryEndsWhenTheCursorsAreMovedThere() throws Exception {
        InstanceConfig before = runner.slot().config();
        InstanceConfig next = shop.config("elsewhere");
        Pace left = new Pace("shop", shop.pools().timer(), Time.SYSTEM, entries -> {});
        new PaceHome(left, Runnable::run).begin(next);
        left.pause("long ago");
        runner.stop(LIMIT);

        assertThat(runner.reload(next, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(nextProcess(next).paused()).isFalse();
        assertThat(nextProcess(before).paused()).isFalse();
    }

    @Test
    void aPauseFollowsTheCursorsThatAreMovedByARestart() throws Exception {
        InstanceConfig before = runner.slot().config();
        runner.start();
        runner.pace().change(pace -> pace.pause("maintenance"));
        InstanceConfig next = shop.config("elsewhere");

        assertThat(runner.reload(next, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.pace().status().paused()).isTrue();
        assertThat(nextProcess(next).paused()).isTrue();
        assertThat(nextProcess(before).paused()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "canal.instance.filter.transaction.entry = true, true",
        "canal.instance.filter.transaction.entry = true, false",
        "canal.instance.position.gtid = off, true"
    })
    void aPointThatAReloadMakesImpossibleToFindIsAPauseAtOnce(String line, boolean isGtid) throws Exception {
        PauseTarget target = isGtid
                ? new PauseTarget.Transactions(GtidSet.parse("24bc7850-2c16-11e6-a073-0242ac110002:1-7"))
                : new PauseTarget.Position(new BinlogPosition("mysql-bin.000007", 1042));
        runner.start();
        runner.pace().change(pace -> pace.pauseAt(target));
        InstanceConfig next = shop.config("cursors", line);

        assertThat(runner.reload(next, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.pace().status().reason())
                .startsWith(target.text() + " cannot be found: ")
                .contains(line.substring(0, line.indexOf(' ')));
        assertThat(nextProcess(next).paused()).isTrue();
    }

    @Test
    void aPointThatCanBeFoundAfterAReloadStays() throws Exception {
        PauseTarget target = new PauseTarget.Position(new BinlogPosition("mysql-bin.000007", 1042));
        runner.start();
        runner.pace().change(pace -> pace.pauseAt(target));

        InstanceConfig next = shop.config("cursors", "canal.instance.position.gtid = off");
        assertThat(runner.reload(next, LIMIT)).isInstanceOf(Outcome.Done.class);

        assertThat(runner.pace().status().paused()).isFalse();
        assertThat(runner.pace().status().pauseTarget()).isEqualTo(target.text());
    }

    /** As when the folder of the instance is restored from a copy without it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPauseWhoseFileIsGoneIsKeptAgain(boolean isPausedAgain) throws Exception {
        InstanceConfig config = runner.slot().config();
        runner.start();
        runner.pace().change(pace -> pace.pause("maintenance"));
        Files.delete(config.cursor().directory().resolve("pace"));

        if (isPausedAgain) {
            runner.pace().change(pace -> pace.pause("maintenance"));
        } else {
            assertThat(runner.restart(runner.config(), LIMIT, LIMIT)).isTrue();
        }

        assertThat(nextProcess(config).reason()).isEqualTo("maintenance");
    }

    /** It has what an operator had set, which is in force again once the text or its rights are corrected. */
    @Test
    void aFileOfAPauseThatCannotBeReadStaysUntilAnOperatorSetsSomething() throws Exception {
        InstanceConfig config = shop.config("corrupt");
        Path file = config.cursor().directory().resolve("pace");
        Files.createDirectories(file.getParent());
        String text = "limit.rows=many\nlimit.bytes=0\n";
        Files.writeString(file, text);
        DestinationRunner other = shop.runner(config);
        try {
            other.start();

            assertThat(other.pace().status().reason()).contains("cannot be read");
            assertThat(file).hasContent(text);
            other.pace().change(Pace::resume);
            assertThat(nextProcess(config).paused()).isFalse();
        } finally {
            other.close(Duration.ZERO);
        }
    }

    /** As when the instance was paused on another server, and its folder is copied back, or is restored from a copy. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPauseInAFileThatWasReplacedStays(boolean isAddedAgain) throws Exception {
        InstanceConfig config = runner.slot().config();
        DestinationState state = DestinationState.of("shop", 0, shop.pools().timer(), Time.SYSTEM);
        PaceHome kept = new PaceHome(state.pace(), Runnable::run);
        kept.begin(config);
        Pace elsewhere = new Pace("shop", shop.pools().timer(), Time.SYSTEM, entries -> {});
        new PaceHome(elsewhere, Runnable::run).begin(config);
        elsewhere.pause("on another server");

        if (isAddedAgain) {
            kept.begin(config);
        } else {
            kept.keep(config, OwnershipTerm.sole());
        }

        assertThat(nextProcess(config).reason()).isEqualTo("on another server");
        state.pace().limit(new RateLimits(7, 0));
        assertThat(nextProcess(config)).isEqualTo(state.pace().status());
    }
}
