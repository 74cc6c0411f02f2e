package io.sluice.bench.micro;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports the processor time of the whole JVM for each row, including garbage collection. On a busy machine it is much steadier than
 * rows per second.
 */
public final class CpuProfiler implements InternalProfiler {
    private long before;

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        before = cpuNanos();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        long spent = cpuNanos() - before;
        long rows = Math.max(1, result.getMetadata().getAllOps() * Recorded.ROWS);
        return List.of(new ScalarResult("cpu", (double) spent / rows, "ns/row", AggregationPolicy.AVG));
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    @Override
    public String getDescription() {
        return "Processor time per row";
    }
}
