package io.sluice.bench.bridge;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** The processor time and memory of a process, from Linux's {@code /proc}. For one thread. */
public final class ProcessUsage {
    /** The unit of times in {@code /proc}: USER_HZ, which is 100 on every platform that is supported. */
    private static final double TICKS_PER_SECOND = 100;

    private final Path folder;
    private final Map<String, Double> secondsByTask = new HashMap<>();

    /** For a running process. */
    public ProcessUsage(long pid) {
        this.folder = Path.of("/proc", Long.toString(pid));
    }

    /** Returns whether the process is running. */
    public boolean isAlive() {
        return Files.exists(folder);
    }

    /** The processor time of all threads. */
    public double cpuSeconds() throws IOException {
        return cpuSeconds(read("stat"));
    }

    /** The peak of resident memory. */
    public long peakBytes() throws IOException {
        return peakBytes(read("status"));
    }

    /** The processor time of several processes by their names. */
    public static Map<String, Double> cpuSeconds(Map<String, ProcessUsage> processes) throws IOException {
        Map<String, Double> seconds = new HashMap<>();
        for (Map.Entry<String, ProcessUsage> process : processes.entrySet()) {
            seconds.put(process.getKey(), process.getValue().cpuSeconds());
        }
        return seconds;
    }

    /**
     * The processor time of the threads in groups, the largest first: threads whose names differ in digits only are one
     * group. Linux knows 15 characters of a name. Of a thread that has ended the last time counts that was found here.
     */
    public Map<String, Double> cpuSecondsByThread() throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(folder.resolve("task"))) {
            for (Path task : tasks) {
                try {
                    String group =
                            Files.readString(task.resolve("comm")).strip().replaceAll("[0-9]+", "N");
                    secondsByTask.put(
                            group + "/" + task.getFileName(), cpuSeconds(Files.readString(task.resolve("stat"))));
                } catch (IOException e) {
                    // the thread has just ended
                }
            }
        }
        Map<String, Double> groups = new HashMap<>();
        secondsByTask.forEach(
                (task, seconds) -> groups.merge(task.substring(0, task.lastIndexOf('/')), seconds, Double::sum));
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
            throw new IOException("process " + folder.getFileName() + " has ended", e);
        }
    }

    /** {@code utime} and {@code stime}, fields 14 and 15; the second field, a name, may contain blanks and brackets. */
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
