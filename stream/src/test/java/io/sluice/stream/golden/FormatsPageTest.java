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
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    private static final Pattern VALUES_TABLE = Pattern.compile("(<!-- values -->\n\\|.*\n\\|[-|]+\n)((?:\\|.*\n)*)");

    private static final ObjectMapper JSON = new ObjectMapper();

    /** By the first cells of the rows of the table of values. */
    private static final Map<String, List<ValueExample>> VALUES = values();

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

    /** The notes are ours; what is beside them is recorded, or, where canal is not the measure, what our encoders make of a recorded binlog. */
    @Test
    void theTableOfValuesIsTrue() throws Exception {
        String page = Files.readString(PAGE);
        Matcher table = VALUES_TABLE.matcher(page);
        assertThat(table.find()).isTrue();
        Map<String, String> notes = new LinkedHashMap<>();
        for (String line : table.group(2).strip().split("\n")) {
            String[] cells = line.split(" \\| ", -1);
            notes.put(cells[0].replaceFirst("^\\| ", ""), cells[cells.length - 1].replaceFirst(" \\|$", ""));
        }
        StringBuilder rows = new StringBuilder();
        for (Map.Entry<String, List<ValueExample>> type : VALUES.entrySet()) {
            Set<String> sqlTypes = new LinkedHashSet<>();
            List<String> examples = new ArrayList<>();
            for (ValueExample example : type.getValue()) {
                sqlTypes.add(Integer.toString(example.sqlType()));
                examples.add(example.text());
            }
            rows.append("| %s | %s | %s | %s |\n"
                    .formatted(
                            type.getKey(),
                            String.join(", ", sqlTypes),
                            String.join("<br>", examples),
                            notes.getOrDefault(type.getKey(), "")));
        }
        String generated = page.substring(0, table.start(2)) + rows + page.substring(table.end(2));

        if (Boolean.getBoolean("sluice.docs.write")) {
            Files.writeString(PAGE, generated);
        } else {
            assertThat(page)
                    .as("docs/formats.md does not have the values as they are. To rewrite them:%n  %s", COMMAND)
                    .isEqualTo(generated);
        }
    }

    private static Map<String, List<ValueExample>> values() {
        Map<String, List<ValueExample>> values = new LinkedHashMap<>();
        String integers = "mysql-8.0.31/01-integers";
        values.put(
                "`TINYINT` to `BIGINT`, `BOOL`",
                List.of(
                        ValueExample.of(integers, "whole_signed", 4, "c_bool"),
                        ValueExample.of(integers, "whole_signed", 4, "c_small"),
                        ValueExample.of(integers, "whole_signed", 4, "c_int"),
                        ValueExample.of(integers, "whole_signed", 4, "c_big")));
        values.put(
                "the same, `UNSIGNED`",
                List.of(
                        ValueExample.of(integers, "whole_unsigned", 13, "u_tiny"),
                        ValueExample.of(integers, "whole_unsigned", 10, "u_tiny"),
                        ValueExample.of(integers, "whole_unsigned", 13, "u_int"),
                        ValueExample.of(integers, "whole_unsigned", 10, "u_int"),
                        ValueExample.of(integers, "whole_unsigned", 13, "u_big"),
                        ValueExample.of(integers, "whole_unsigned", 10, "u_big")));
        values.put("`ZEROFILL`", List.of(ValueExample.of(integers, "whole_unsigned", 0, "z_int")));
        String decimals = "mysql-8.0.31/01-decimals";
        values.put(
                "`DECIMAL`",
                List.of(
                        ValueExample.of(decimals, "exact_numbers", 11, "d10_2"),
                        ValueExample.of(decimals, "exact_numbers", 13, "d10_2"),
                        ValueExample.of(decimals, "exact_numbers", 2, "d20_10"),
                        ValueExample.of(decimals, "exact_numbers", 21, "d20_10"),
                        ValueExample.of(decimals, "exact_numbers", 3, "d9_0")));
        String floats = "mysql-8.0.31/01-floats";
        values.put(
                "`FLOAT`",
                List.of(
                        ValueExample.of(floats, "rough", 4, "f"),
                        ValueExample.of(floats, "rough", 12, "f"),
                        ValueExample.of(floats, "rough", 18, "f")));
        values.put(
                "`DOUBLE`",
                List.of(
                        ValueExample.of(floats, "rough", 12, "d"),
                        ValueExample.of(floats, "rough", 17, "d"),
                        ValueExample.of(floats, "rough", 18, "d")));
        String bits = "mysql-8.0.31/01-bit-enum-set";
        values.put(
                "`BIT`",
                List.of(
                        ValueExample.of(bits, "switches", 3, "b1"),
                        ValueExample.of(bits, "switches", 1, "b9"),
                        ValueExample.of(bits, "switches", 3, "b64")));
        values.put(
                "`ENUM`",
                List.of(
                        ValueExample.of(bits, "choices", 3, "e3"),
                        ValueExample.of(bits, "choices", 8, "e3"),
                        ValueExample.of(bits, "choices", 2, "e3")));
        values.put(
                "`SET`",
                List.of(
                        ValueExample.of(bits, "tags", 6, "s8"),
                        ValueExample.of(bits, "tags", 3, "s8"),
                        ValueExample.of(bits, "tags", 7, "s8")));
        String times = "mysql-8.0.31/01-temporal";
        String zeros = "mysql-8.0.31/01-zero-dates";
        values.put(
                "`YEAR`",
                List.of(ValueExample.of(times, "moments", 1, "y"), ValueExample.of(times, "moments", 20, "y")));
        values.put(
                "`DATE`",
                List.of(
                        ValueExample.of(times, "moments", 1, "d"),
                        ValueExample.of(zeros, "nothing_dates", 3, "d"),
                        ValueExample.of(zeros, "nothing_dates", 5, "d")));
        values.put(
                "`TIME`",
                List.of(
                        ValueExample.of(times, "moments", 12, "t"),
                        ValueExample.of(times, "moments", 2, "t"),
                        ValueExample.of(times, "moments", 13, "t"),
                        ValueExample.of(times, "moments", 12, "t3")));
        values.put(
                "`DATETIME`",
                List.of(
                        ValueExample.of(times, "moments", 1, "dt"),
                        ValueExample.of(times, "moments", 21, "dt3"),
                        ValueExample.of(zeros, "nothing_dates", 3, "dt"),
                        ValueExample.of(zeros, "nothing_dates", 2, "dt3")));
        values.put(
                "`TIMESTAMP`",
                List.of(
                        ValueExample.of(times, "moments", 1, "ts3"),
                        ValueExample.of(times, "moments", 30, "ts"),
                        ValueExample.of(zeros, "nothing_dates", 3, "ts")));
        String texts = "mysql-8.0.31/01-strings-blobs";
        values.put(
                "`CHAR`",
                List.of(ValueExample.of(texts, "words", 5, "c10"), ValueExample.of(texts, "words", 6, "c10")));
        values.put(
                "`VARCHAR`",
                List.of(
                        ValueExample.of(texts, "words", 5, "v255"),
                        ValueExample.of(texts, "words", 1, "v255"),
                        ValueExample.of(texts, "words", 2, "v255")));
        values.put("`TINYTEXT` to `LONGTEXT`", List.of(ValueExample.of(texts, "words", 7, "tx")));
        values.put(
                "`BINARY`",
                List.of(ValueExample.of(texts, "bytes_of", 6, "b8"), ValueExample.of(texts, "bytes_of", 3, "b8")));
        values.put(
                "`VARBINARY`",
                List.of(ValueExample.of(texts, "bytes_of", 10, "vb16"), ValueExample.of(texts, "bytes_of", 6, "vb16")));
        values.put("`TINYBLOB` to `LONGBLOB`", List.of(ValueExample.of(texts, "bytes_of", 10, "bl")));
        values.put(
                "`CHAR`, `VARCHAR`, `TEXT` with `CHARACTER SET binary`",
                List.of(ValueExample.of(texts, "bytes_of", 3, "vcb")));
        String opaque = "mysql-8.0.31/03-json-opaque";
        String docs = "mysql-8.0.31/03-json-kinds";
        values.put(
                "`JSON`",
                List.of(
                        ValueExample.of(docs, "docs", 8, "j"),
                        ValueExample.of(docs, "docs", 2, "j"),
                        ValueExample.of(docs, "docs", 3, "j"),
                        ValueExample.of(opaque, "boxes", 14, "j"),
                        ValueExample.of(opaque, "boxes", 20, "j")));
        values.put("`GEOMETRY` and its kinds", List.of(ValueExample.of("mysql-8.0.31/01-geometry", "shapes", 3, "gc")));
        values.put(
                "`VECTOR` (MySQL 9, MariaDB 11.7)",
                List.of(ValueExample.of("mysql-9.7/13-mysql9-vector-fails", "vecs", 1, "v")));
        String maria = "mariadb-10.11/12-mariadb-only";
        values.put(
                "`UUID`, `INET4`, `INET6` (MariaDB)",
                List.of(
                        ValueExample.inserted(maria, "own_types", 1, "u", "'123e4567-e89b-12d3-a456-426614174000'"),
                        ValueExample.inserted(maria, "own_types", 1, "i6", "'2001:db8::ff00:42:8329'")));
        values.put("`JSON` (MariaDB)", List.of(ValueExample.of(maria, "m_json", 1, "j")));
        return values;
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
