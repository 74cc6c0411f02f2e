package io.sluice.server.metrics;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the JVM under the names of canal's version of the library that now has others for them. One cannot be there: the gauge {@code
 * jvm_classes_loaded} has the name of a counter of this version.
 */
final class CanalJvmMetrics {
    private final Families families;

    CanalJvmMetrics(Families families) {
        this.families = families;
    }

    void add() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        addMemory("jvm_memory_bytes", "memory", memory.getHeapMemoryUsage(), "area", "heap");
        addMemory("jvm_memory_bytes", "memory", memory.getNonHeapMemoryUsage(), "area", "nonheap");
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            addMemory("jvm_memory_pool_bytes", "a memory pool", pool.getUsage(), "pool", pool.getName());
        }
        families.info(
                "jvm",
                "The version of Java.",
                "version",
                System.getProperty("java.runtime.version", "unknown"),
                "vendor",
                System.getProperty("java.vm.vendor", "unknown"),
                "runtime",
                System.getProperty("java.runtime.name", "unknown"));
    }

    /** @param usage null: the pool does not exist any more */
    private void addMemory(String name, String what, @Nullable MemoryUsage usage, String label, String value) {
        if (usage != null) {
            families.gauge(name + "_used", "Used bytes of " + what + ".", usage.getUsed(), label, value);
            families.gauge(name + "_committed", "Committed bytes of " + what + ".", usage.getCommitted(), label, value);
            families.gauge(name + "_max", "Bytes that " + what + " may grow to.", usage.getMax(), label, value);
            families.gauge(name + "_init", "Bytes of " + what + " at the start.", usage.getInit(), label, value);
        }
    }
}
