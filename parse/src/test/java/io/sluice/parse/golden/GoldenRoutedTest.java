package io.sluice.parse.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Cases that were recorded over several topics and partitions: the rows are the same, wherever they went. A message whose
 * rows belong to several partitions is cut into several, so rows are compared, and not messages.
 */
class GoldenRoutedTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    static Stream<GoldenCase> cases() throws Exception {
        return GoldenCase.all(GoldenFileTest.MYSQL_SERVERS, List.of("10")).stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void rowsAreThoseOfTheRecord(GoldenCase golden) throws Exception {
        List<String> recorded = new ArrayList<>();
        for (String message : golden.flat()) {
            addRows(JSON.readTree(message), recorded);
        }
        List<String> ours = new ArrayList<>();
        for (byte[] message : GoldenRun.flat(GoldenRun.entries(golden, false))) {
            addRows(JSON.readTree(GoldenCase.withoutRun(message)), ours);
        }
        assertThat(ours).containsExactlyInAnyOrderElementsOf(recorded);
    }

    private static void addRows(JsonNode message, List<String> rows) {
        JsonNode data = message.get("data");
        if (data.isNull()) {
            rows.add(message.toString());
            return;
        }
        for (int i = 0; i < data.size(); i++) {
            ObjectNode row = message.deepCopy();
            row.putArray("data").add(data.get(i));
            if (message.get("old").isArray()) {
                row.putArray("old").add(message.get("old").get(i));
            }
            rows.add(row.toString());
        }
    }
}
