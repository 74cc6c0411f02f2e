package io.sluice.bench.limit;

import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.Commands;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kafka's own benchmark of its producer, {@code kafka-producer-perf-test.sh}, against the broker that bridges are measured with: as
 * many records as a workload has, each as large as those are in the mean, to one topic with one partition, uncompressed. The
 * records are letters from a file, so that none has to be made while it is measured.
 */
public final class ProducerBenchmark {
    private static final String TOOL = "org.apache.kafka.tools.ProducerPerformance";
    /** What the tool's script gives it. */
    private static final String HEAP = "-Xmx512m";

    private static final int MAX_LINES = 1000;
    private static final int FILE_BYTES = 16 << 20;
    private static final Pattern TOTAL = Pattern.compile("(\\d+) records sent, ([0-9.]+) records/sec .*");

    private final KafkaServer kafka;
    private final Path folder;
    private int runs;

    /**
     * Makes one.
     *
     * @param folder where the file is written
     */
    public ProducerBenchmark(KafkaServer kafka, Path folder) {
        this.kafka = kafka;
        this.folder = folder;
    }

    /**
     * Runs it so many times, and returns the fastest.
     *
     * @param rows how many row changes are in the records
     * @param records how many to send
     * @param bytes how large they are together
     */
    public BenchmarkFigures best(int times, long rows, long records, long bytes)
            throws IOException, InterruptedException {
        int recordBytes = Math.toIntExact(Math.max(1, bytes / records));
        Path payloads = folder.resolve("payloads");
        writePayloads(payloads, recordBytes);
        BenchmarkFigures best = null;
        for (int i = 0; i < times; i++) {
            BenchmarkFigures next = figures(rows, recordBytes, run(payloads, records));
            best = best == null || next.recordsPerSecond() > best.recordsPerSecond() ? next : best;
        }
        if (best == null) {
            throw new IllegalArgumentException("to be run at least once, not " + times + " times");
        }
        return best;
    }

    private static void writePayloads(Path file, int recordBytes) throws IOException {
        Random random = new Random(recordBytes);
        int lines = Math.max(1, Math.min(MAX_LINES, FILE_BYTES / recordBytes));
        char[] line = new char[recordBytes];
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < lines; i++) {
                for (int at = 0; at < recordBytes; at++) {
                    line[at] = (char) ('A' + random.nextInt(26));
                }
                out.write(line);
                out.write('\n');
            }
        }
    }

    private String run(Path payloads, long records) {
        String topic = "benchmark-%s-%d".formatted(folder.getFileName(), ++runs);
        kafka.createTopic(topic, 1);
        try {
            return Commands.require(
                    folder,
                    Map.of(),
                    List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            HEAP,
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
                            "-cp",
                            kafka.toolsClassPath(),
                            TOOL,
                            "--bootstrap-server",
                            kafka.bootstrapServers(),
                            "--topic",
                            topic,
                            "--num-records",
                            Long.toString(records),
                            "--payload-file",
                            payloads.toString(),
                            "--throughput",
                            "-1",
                            "--command-property",
                            "acks=all",
                            "batch.size=524288",
                            "linger.ms=5"));
        } finally {
            kafka.deleteTopics(List.of(topic));
        }
    }

    /** Reads what the tool printed: lines of how it goes, and one of all at the end. */
    static BenchmarkFigures figures(long rows, long recordBytes, String printed) {
        Matcher total =
                TOTAL.matcher(printed.lines().reduce((one, other) -> other).orElse(""));
        if (!total.matches()) {
            throw new IllegalStateException("Kafka's benchmark did not say what it measured, but: " + printed);
        }
        return new BenchmarkFigures(
                rows, Long.parseLong(total.group(1)), recordBytes, Double.parseDouble(total.group(2)));
    }
}
