package io.sluice.server.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.control.CommandRejectedException;
import io.sluice.server.control.Outcome;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With what configuration commands start an instance, and what they report of it. */
@Timeout(60)
class ConfiguredStartsTest extends ReloadedFiles {
    @Test
    void anInstanceWhoseFileHasNotChangedIsStartedWithWhatIsInForce() throws Exception {
        writeInstance("a", "canal.mq.dynamicTopic = shop\\\\..*");
        load();
        InstanceConfig inForce = configuration.instances().get(0);

        InstanceConfig started = reloads.start("a", "a start of a", (config, wait) -> config);

        assertThat(started).isSameAs(inForce);
        assertThat(problems.get("a")).isNull();
    }

    @Test
    void anInstanceWhoseFileHasChangedIsStartedWithWhatItSays() throws Exception {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");

        InstanceConfig started = reloads.start("a", "a start of a", (config, wait) -> config);

        assertThat(started).isNotEqualTo(configuration.instances().get(0));
    }

    @Test
    void anInstanceThatCouldNotBeStartedWithItsNewFileHasAProblemAndIsNotTriedAgainByALook() throws Exception {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");

        reloads.tryStart("a", "a start of a", (config, wait) -> new Outcome.Failed("no room"));

        assertThat(problems).containsEntry("a", "no room");
        calls.clear();
        reloads.look();
        reloads.look();
        assertThat(calls).noneMatch(call -> call.contains("change a"));
        assertThat(problems).containsEntry("a", "no room");
    }

    @Test
    void aStartTellsOnlyWarningsOfItsInstanceAndOfTheServer() throws IOException {
        writeInstance("a", "canal.instance.filter.black.regex = shop\\\\.t, shop\\\\.u");
        writeInstance("b", "canal.instance.filter.black.regex = shop\\\\.v, shop\\\\.w");

        reloads.start("a", "a start of a", (config, wait) -> config);

        assertThat(warningsOfLog()).singleElement().asString().contains("shop\\.u");
        assertThat(reloads.reload(null).warnings()).singleElement().asString().contains("shop\\.w");
        assertThat(reloads.reload(null).warnings()).isEmpty();
    }

    /** The source may know only the former configuration of one that was taken over alone. */
    @Test
    void theProblemOfANewerConfigurationIsToldAfterARestartWithoutTheSource() throws IOException {
        reloads.reload("a");
        writeInstance("a", "canal.instance.memory.buffer.size = many");
        reloads.reload("a");
        String problem = problems.get("a");
        assertThat(problem).contains("canal.instance.memory.buffer.size");
        sourceProblem = "the admin server is unreachable";
        writeInstance("a", "");

        reloads.start("a", "a restart of a", (config, wait) -> config);
        assertThat(problems).containsEntry("a", problem);
        reloads.reload("a");
        assertThat(problems).containsEntry("a", problem);
        reloads.reload(null);
        assertThat(problems).containsEntry("a", problem);

        sourceProblem = "";
        reloads.start("a", "a restart of a", (config, wait) -> config);
        assertThat(problems.get("a")).isNull();
    }

    @Test
    void aCommandThatIsRefusedBeforeItHasTriedAConfigurationLeavesNoProblem() throws IOException {
        writeInstance("a", "canal.instance.memory.buffer.size = 1024");

        assertThatThrownBy(() -> reloads.start("a", "a change of the cursor of a", (config, wait) -> {
                    throw new CommandRejectedException("no such position");
                }))
                .hasMessage("no such position");

        assertThat(problems.get("a")).isNull();
        assertThat(reloads.reload(null).changed()).containsExactly("a");
    }
}
