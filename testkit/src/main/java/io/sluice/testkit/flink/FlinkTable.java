package io.sluice.testkit.flink;

import io.sluice.testkit.kafka.KafkaServer;
import io.sluice.testkit.process.ChildJvm;
import io.sluice.testkit.process.Folders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A table as a format of Flink makes it of the messages in a topic's partition 0. */
public final class FlinkTable {
    private static final String PROGRAMS = "io.sluice.testkit.flinkformat.";

    private final List<List<@Nullable String>> rows = new ArrayList<>();
    private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

    /** What Flink calls a change. */
    public enum Kind {
        INSERT("+I"),
        UPDATE_BEFORE("-U"),
        UPDATE_AFTER("+U"),
        DELETE("-D");

        private final String sign;

        Kind(String sign) {
            this.sign = sign;
        }

        private static Kind of(String sign) {
            for (Kind kind : values()) {
                if (kind.sign.equals(sign)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException("what is " + sign + "?");
        }

        private boolean adds() {
            return this == INSERT || this == UPDATE_AFTER;
        }
    }

    private FlinkTable() {}

    /**
     * Reads the flat messages that the topic holds now by the format {@code canal-json}.
     *
     * @param rowType the columns in Flink's SQL, such as {@code ROW<id BIGINT, name STRING>}
     * @throws IllegalStateException if Flink cannot read a message, or a change removes a row that is not there
     */
    public static FlinkTable ofCanalJson(
            KafkaServer kafka, String topic, String database, String table, String rowType) {
        return of("CanalJsonReader", kafka.bootstrapServers(), topic, database, table, rowType);
    }

    /**
     * Reads the messages that the topic holds now by the format {@code debezium-json}; all must be of one table.
     *
     * @param rowType the columns in Flink's SQL
     * @throws IllegalStateException if Flink cannot read a message, or a change removes a row that is not there
     */
    public static FlinkTable ofDebeziumJson(KafkaServer kafka, String topic, String rowType) {
        return of("DebeziumJsonReader", kafka.bootstrapServers(), topic, rowType);
    }

    private static FlinkTable of(String program, String... arguments) {
        FlinkTable result = new FlinkTable();
        ChildJvm.run(Folders.servers().resolve("flink-format"), PROGRAMS + program, List.of(arguments))
                .forEach(result::apply);
        return result;
    }

    private void apply(String line) {
        String[] words = line.split(" ");
        Kind kind = Kind.of(words[0]);
        counts.merge(kind, 1, Integer::sum);
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            row.add(
                    words[i].equals("-")
                            ? null
                            : new String(Base64.getDecoder().decode(words[i].substring(1)), StandardCharsets.UTF_8));
        }
        if (kind.adds()) {
            rows.add(row);
        } else if (!rows.remove(row)) {
            throw new IllegalStateException("%s of a row that is not there: %s".formatted(kind, row));
        }
    }

    /** The rows that are left, in the order in which they came to be what they are. */
    public List<List<@Nullable String>> rows() {
        return List.copyOf(rows);
    }

    /** How many changes of a kind there were. */
    public int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }
}
