package io.sluice.bench.e2e;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a process has used so far, as Linux counts it. */
public final class ProcessUsage {
    /** The unit of times in {@code /proc}: 100 to the second on every Linux there is, whatever the kernel's own clock. */
    private static final double TICKS_PER_SECOND = 100;

    private final Path folder;

    /** Looks at a process that runs. */
    public ProcessUsage(long pid) {
        this.folder = Path.of("/proc", Long.toString(pid));
    }

    /** Whether it runs. */
    boolean isAlive() {
        return Files.exists(folder);
    }

    /** The time it spent on processors, all threads together. */
    public double cpuSeconds() throws IOException {
        return cpuSeconds(read("stat"));
    }

    /** The most memory it ever had resident. */
    public long peakBytes() throws IOException {
        return peakBytes(read("status"));
    }

    /**
     * The time of each group of its threads that still run, the largest first: threads whose names differ in digits only are a
     * group. Linux knows 15 characters of a name.
     */
    public Map<String, Double> cpuSecondsByThread() throws IOException {
        Map<String, Double> groups = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder.resolve("task"))) {
            for (Path task : tasks) {
                try {
                    String group =
                            Files.readString(task.resolve("comm")).strip().replaceAll("[0-9]+", "N");
                    groups.merge(group, cpuSeconds(Files.readString(task.resolve("stat"))), Double::sum);
                } catch (IOException e) {
                    // a thread that has just ended
                }
            }
        }
        Map<String, Double> largestFirst = new LinkedHashMap<>();
        groups.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .forEach(group -> largestFirst.put(group.getKey(), group.getValue()));
        return largestFirst;
    }

    private String read(String file) throws IOException {
        try {
            return Files.readString(folder.resolve(file));
        } catch (NoSuchFileException e) {
            throw new IOException("process " + folder.getFileName() + " is gone", e);
        }
    }

    /** {@code utime} and {@code stime}, fields 14 and 15; the second field, a name, may hold blanks and brackets. */
    static double cpuSeconds(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /** {@code VmHWM}, in KiB. */
    static long peakBytes(String status) {
        return status.lines()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElse(0);
    }
}
