package io.sluice.bench.limit;

import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.Commands;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Lets Kafka's own producer send recorded records, in a process of its own, to the broker that bridges are measured with. */
public final class ProducerLimit {
    private static final List<String> JVM_OPTIONS = List.of("-Xms384m", "-Xmx384m", "-XX:+UseParallelGC");

    private final KafkaServer kafka;
    private final Path folder;
    private int runs;

    /**
     * Makes one.
     *
     * @param folder of a {@link RecordCopies} that is complete
     */
    public ProducerLimit(KafkaServer kafka, Path folder) {
        this.kafka = kafka;
        this.folder = folder;
    }

    /**
     * Sends all so many times, and returns the fastest.
     *
     * @param rows how many row changes are in the records
     * @param topics how many topics they went to
     * @param partitions how many partitions each topic has
     * @param compression as Kafka spells it
     */
    public ProducerFigures best(int times, long rows, int topics, int partitions, String compression)
            throws IOException, InterruptedException {
        ProducerFigures best = send(rows, topics, partitions, compression);
        for (int i = 1; i < times; i++) {
            ProducerFigures next = send(rows, topics, partitions, compression);
            best = next.seconds() < best.seconds() ? next : best;
        }
        return best;
    }

    private ProducerFigures send(long rows, int topics, int partitions, String compression)
            throws IOException, InterruptedException {
        List<String> names = new ArrayList<>();
        runs++;
        for (int i = 0; i < topics; i++) {
            names.add("limit-%s-%d-%d".formatted(folder.getFileName(), runs, i));
            kafka.createTopic(names.get(i), partitions, Map.of("message.timestamp.type", "LogAppendTime"));
        }
        try {
            return figures(rows, run(names, compression));
        } finally {
            kafka.deleteTopics(names);
        }
    }

    private String run(List<String> topics, String compression) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BareProducer.class.getName()));
        command.addAll(List.of(kafka.bootstrapServers(), compression, folder.toString()));
        command.addAll(topics);
        Commands.Outcome outcome = Commands.run(folder, Map.of(), command);
        if (!outcome.isSuccess()) {
            throw new IllegalStateException("the producer failed: " + outcome.output());
        }
        return outcome.output().strip().lines().reduce((one, other) -> other).orElse("");
    }

    /** Reads what {@link BareProducer} printed. */
    static ProducerFigures figures(long rows, String line) {
        String[] words = line.split(" ");
        if (words.length != 7) {
            throw new IllegalStateException("the producer did not say what it took, but: " + line);
        }
        long records = Long.parseLong(words[0]);
        return new ProducerFigures(
                rows,
                records,
                Long.parseLong(words[1]),
                Double.parseDouble(words[2]),
                Double.parseDouble(words[3]),
                (double) Long.parseLong(words[4]) / records,
                Double.parseDouble(words[5]),
                Double.parseDouble(words[6]));
    }
}
