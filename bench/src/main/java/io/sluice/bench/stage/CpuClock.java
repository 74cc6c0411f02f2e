package io.sluice.bench.stage;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** What this process has spent on processors since its start. */
final class CpuClock {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private CpuClock() {}

    static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
