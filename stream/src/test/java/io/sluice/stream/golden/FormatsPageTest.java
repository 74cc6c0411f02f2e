package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.format.debezium.DebeziumFormat;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.protocol.bytes.ByteWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/formats.md} are recorded, and are what the encoders make of the recorded binlog. */
class FormatsPageTest {
    private static final Path PAGE = Path.of("..", "docs", "formats.md");
    private static final String COMMAND = "./mvnw -pl stream -am -Dquick -Dtest=FormatsPageTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.docs.write=true test";
    private static final Pattern EXAMPLE =
            Pattern.compile("(<!-- example: (\\w+)(?: (\\w+))? -->\n```\\w+\n)((?:(?!```).*\n)*)```");
    /** When a message was made: not recorded for this format. */
    private static final BatchOrigin BATCH = new BatchOrigin(1, 1_795_178_375_488L);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final GoldenCase golden =
            new GoldenCase(GoldenCase.root().resolve("mysql-8.0.31").resolve("00-smoke"));

    @Test
    void thePageHasTheRecordedExamples() throws Exception {
        String page = Files.readString(PAGE);
        StringBuilder generated = new StringBuilder();
        Matcher example = EXAMPLE.matcher(page);
        int examples = 0;
        while (example.find()) {
            examples++;
            example.appendReplacement(
                    generated, Matcher.quoteReplacement(example.group(1) + content(example.toMatchResult()) + "\n```"));
        }
        example.appendTail(generated);

        assertThat(examples).isEqualTo(9);
        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.writeString(PAGE, generated);
        } else {
            assertThat(page)
                    .as("docs/formats.md does not have the examples as they are. To rewrite them:%n  %s", COMMAND)
                    .isEqualTo(generated.toString());
        }
    }

    /** The page shows canal's flat messages, so ours must be the same but for what differs from run to run. */
    @Test
    void theFlatExamplesAreOurs() throws Exception {
        List<String> ours = new ArrayList<>();
        for (byte[] message : GoldenRun.flat(GoldenRun.entries(golden, false))) {
            ours.add(GoldenCase.withoutRun(message));
        }

        assertThat(ours).isEqualTo(golden.flat());
    }

    private String content(MatchResult example) throws Exception {
        String type = Optional.ofNullable(example.group(3)).orElse("");
        return switch (example.group(2)) {
            case "sql" ->
                golden.text("script.sql").replaceAll("(?m)^-- @.*\n", "").strip();
            case "flat" -> lines(flat(type));
            case "protobuf" -> entry(type).toPrettyString();
            case "debezium" -> lines(debezium(type));
            default -> throw new IllegalArgumentException("no example is of " + example.group(2));
        };
    }

    private JsonNode flat(String type) throws IOException {
        return golden.lines("flat.jsonl").stream()
                .map(line -> line.get("value"))
                .filter(value -> value.get("type").asText().equals(type))
                .findFirst()
                .orElseThrow();
    }

    private JsonNode entry(String type) throws IOException {
        for (JsonNode line : golden.lines("raw.jsonl")) {
            for (JsonNode entry : line.get("packet").get("entries")) {
                if (entry.path("storeValue").path("eventType").asText().equals(type)) {
                    return entry;
                }
            }
        }
        throw new IllegalArgumentException("no entry is an " + type);
    }

    private JsonNode debezium(String type) throws Exception {
        for (Entry entry : GoldenRun.entries(golden, false)) {
            if (entry.kind() == EntryKind.ROWS && entry.eventType().name().equals(type)) {
                ByteWriter out = new ByteWriter(64);
                Entry row = Encodings.pieces(entry, new RowCut(RowKey.PRIMARY, null, false, false))
                        .entryOf(0);
                assertThat(new DebeziumFormat().newEncoder().encode(row, BATCH, out))
                        .isTrue();
                return JSON.readTree(out.toByteArray());
            }
        }
        throw new IllegalArgumentException("no entry is an " + type);
    }

    /** A line for each field. */
    private static String lines(JsonNode message) {
        return ((ObjectNode) message)
                .properties().stream()
                        .map(field -> "  \"%s\": %s".formatted(field.getKey(), field.getValue()))
                        .collect(Collectors.joining(",\n", "{\n", "\n}"));
    }
}
