package io.sluice.bench.limit;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to files, one for each partition, from which {@link BareProducer} sends them again. Of each partition the
 * first 96 MiB are kept, which are then sent again and again; all records are counted. For one thread.
 *
 * <pre>
 *   +----------------------+-----------------+-----+-------+
 *   | length of key        | length of value | key | value |    and so on
 *   | i32 BE, -1: no key   | i32 BE          |     |       |
 *   +----------------------+-----------------+-----+-------+
 * </pre>
 */
public final class RecordCopies implements AutoCloseable {
    private static final long BYTES_EACH = 96 << 20;
    private static final String INDEX = "index";

    private final Path folder;
    private final Map<String, Copy> copies = new TreeMap<>();

    /** The records of one partition so far. */
    private static final class Copy {
        final DataOutputStream out;
        long records;
        long bytes;

        Copy(DataOutputStream out) {
            this.out = out;
        }
    }

    /**
     * A file of copies.
     *
     * @param topic the topic's number among those of the workload, from 0 on
     * @param records how many the partition had
     */
    record Partition(int topic, int partition, long records, Path file) {}

    /** Makes one that writes into an empty folder. */
    public RecordCopies(Path folder) {
        this.folder = folder;
    }

    /**
     * Adds a record.
     *
     * @param topic the topic's number among those of the workload, from 0 on
     */
    public void add(int topic, int partition, byte @Nullable [] key, byte[] value) throws IOException {
        String name = topic + " " + partition;
        Copy copy = copies.get(name);
        if (copy == null) {
            Path file = folder.resolve(fileName(topic, partition));
            copy = new Copy(new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)));
            copies.put(name, copy);
        }
        copy.records++;
        if (copy.bytes < BYTES_EACH) {
            copy.out.writeInt(key == null ? -1 : key.length);
            copy.out.writeInt(value.length);
            if (key != null) {
                copy.out.write(key);
            }
            copy.out.write(value);
            copy.bytes += 8 + value.length + (key == null ? 0 : key.length);
        }
    }

    /** Completes the files. */
    @Override
    public void close() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, Copy> entry : copies.entrySet()) {
            entry.getValue().out.close();
            lines.add(entry.getKey() + " " + entry.getValue().records);
        }
        Files.write(folder.resolve(INDEX), lines);
    }

    /** What a folder of copies has. */
    static List<Partition> read(Path folder) throws IOException {
        List<Partition> partitions = new ArrayList<>();
        for (String line : Files.readAllLines(folder.resolve(INDEX))) {
            String[] words = line.split(" ");
            int topic = Integer.parseInt(words[0]);
            int partition = Integer.parseInt(words[1]);
            Path file = folder.resolve(fileName(topic, partition));
            partitions.add(new Partition(topic, partition, Long.parseLong(words[2]), file));
        }
        return partitions;
    }

    private static String fileName(int topic, int partition) {
        return "records-" + topic + "-" + partition;
    }
}
