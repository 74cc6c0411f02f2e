package io.sluice.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replays what was recorded from a canal server, and compares it with what the tables held then. */
class GoldenTest {
    private static final Path GOLDEN = Path.of(System.getProperty("sluice.golden", "golden"), "mysql-8.0.31");
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * The cases in which canal delivered all, and right. Of the others it lost or damaged something, or what the tables
     * hold came by statements, from before the start or through several streams.
     */
    static Stream<String> cases() {
        return Stream.of(
                "00-smoke",
                "01-bit-enum-set",
                "01-decimals",
                "01-floats",
                "01-geometry",
                "01-integers",
                "01-temporal",
                "01-zero-dates",
                "02-names",
                "02-names-unquoted",
                "03-json-big",
                "03-json-kinds",
                "04-generated-columns",
                "04-generated-columns-8",
                "04-large",
                "04-load-data",
                "04-long-transactions",
                "04-rows-multi",
                "04-transactions",
                "05-ddl-alter-columns",
                "05-ddl-comments",
                "05-ddl-create",
                "05-ddl-other-objects",
                "05-ddl-rename",
                "05-ddl-rename-and-add",
                "07-rows-query",
                "09-gtid",
                "11-compressed");
    }

    @ParameterizedTest
    @MethodSource("cases")
    void flatRecordsGiveTheRecordedState(String name) throws IOException {
        Path folder = GOLDEN.resolve(name);
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        FlatRecords reader = new FlatRecords();
        for (String line : RecordedState.lines(file(folder, "flat.jsonl"))) {
            JsonNode node = JSON.readTree(line);
            model.apply(reader.read(
                    node.path("topic").asText(),
                    node.path("partition").asInt(),
                    node.path("offset").asLong(),
                    node.path("value")));
        }
        check(folder, model);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rawRecordsGiveTheRecordedState(String name) throws IOException {
        Path folder = GOLDEN.resolve(name);
        StateModel model = new StateModel(Duplicates.FORBIDDEN);
        RawRecords reader = new RawRecords();
        for (String line : RecordedState.lines(file(folder, "raw.jsonl"))) {
            JsonNode node = JSON.readTree(line);
            model.apply(reader.read(
                    node.path("topic").asText(),
                    node.path("partition").asInt(),
                    node.path("offset").asLong(),
                    Base64.getDecoder().decode(node.path("value").asText())));
        }
        check(folder, model);
    }

    private static void check(Path folder, StateModel model) {
        List<Object> wrong = new ArrayList<>(model.problems());
        wrong.addAll(StateComparison.compare(RecordedState.read(file(folder, "state.jsonl")), model));
        assertThat(wrong).isEmpty();
    }

    private static Path file(Path folder, String name) {
        Path zipped = folder.resolve(name + ".gz");
        return Files.exists(zipped) ? zipped : folder.resolve(name);
    }
}
