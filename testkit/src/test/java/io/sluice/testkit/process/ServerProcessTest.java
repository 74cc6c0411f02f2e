package io.sluice.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {
    @TempDir
    private Path folder;

    /** A timeout sends TERM to a whole process group; a server that ignores it must still be killed in the end. */
    @Test
    void aSignalToTheSupervisorDoesNotReleaseTheServer() {
        ServerProcess process =
                ServerProcess.start(List.of("sleep", "600"), Map.of(), folder, folder.resolve("server.log"));
        ProcessHandle server = ProcessHandle.of(process.pid()).orElseThrow();
        ProcessHandle supervisor = server.parent().orElseThrow();

        supervisor.children().filter(child -> child.pid() != server.pid()).forEach(ProcessHandle::destroy);
        supervisor.destroy();
        process.kill();

        await().atMost(Duration.ofSeconds(60)).until(() -> !server.isAlive());
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void aPausedServerIsFrozenUntilItIsResumed() throws IOException {
        ServerProcess process =
                ServerProcess.start(List.of("sleep", "600"), Map.of(), folder, folder.resolve("server.log"));
        Path state = Path.of("/proc", Long.toString(process.pid()), "stat");
        for (int i = 0; i < 20; i++) {
            process.pause();
            assertThat(state).content().contains(" T ");
            process.resume();
            assertThat(state).content().doesNotContain(" T ");
        }
        process.kill();
    }
}
