package io.sluice.bench.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProcessUsageTest {
    @Test
    void theTimeIsFoundAfterANameWithBracketsAndBlanks() {
        String stat = "4711 (C2 (x) Thread) S 1 4711 4711 0 -1 4194560 900 0 0 0 250 50 0 0 20 0 30 0 1000 1 2";

        assertThat(ProcessUsage.cpuSeconds(stat)).isEqualTo(3.0);
    }

    @Test
    void thePeakIsInBytes() {
        assertThat(ProcessUsage.peakBytes("Name:\tjava\nVmHWM:\t    2048 kB\nVmRSS:\t 1024 kB\n"))
                .isEqualTo(2048 << 10);
    }

    @Test
    void thisProcessHasUsedProcessorTime() throws IOException {
        ProcessUsage self = new ProcessUsage(ProcessHandle.current().pid());

        assertThat(self.isAlive()).isTrue();
        assertThat(self.cpuSeconds()).isPositive();
        assertThat(self.peakBytes()).isPositive();
        assertThat(self.cpuSecondsByThread()).isNotEmpty();
    }
}
