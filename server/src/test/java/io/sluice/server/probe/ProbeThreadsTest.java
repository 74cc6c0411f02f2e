package io.sluice.server.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.connector.api.probe.Finding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProbeThreadsTest {
    private static Finding findingOf(Throwable failure) throws InterruptedException {
        try (ProbeThreads threads = new ProbeThreads(Duration.ofMinutes(1), line -> {})) {
            return threads.run("", "source", findings -> {
                        if (failure instanceof Error error) {
                            throw error;
                        }
                        throw (RuntimeException) failure;
                    })
                    .findings()
                    .get(0);
        }
    }

    @Test
    void aProbeThatNeedsMoreHeapNamesTheSetting() throws InterruptedException {
        assertThat(findingOf(new OutOfMemoryError("Java heap space")).remedy())
                .startsWith("raise -Xmx, ")
                .contains(Long.toString(Runtime.getRuntime().maxMemory()));
    }

    @Test
    void anyOtherFailureIsToBeReported() throws InterruptedException {
        assertThat(findingOf(new IllegalStateException("x")).remedy()).isEqualTo("report it, with the log");
    }
}
