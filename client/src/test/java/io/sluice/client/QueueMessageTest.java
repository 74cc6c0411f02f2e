package io.sluice.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.protocol.entry.EventType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueMessageTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("sluice.golden", "../testkit/golden"), "mysql-8.0.31");
    private static final ObjectMapper JSON = new ObjectMapper();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What canal recorded in both forms is the same to its reader. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "00-smoke",
                "01-bit-enum-set",
                "01-geometry",
                "01-strings-blobs",
                "01-temporal",
                "04-keys",
                "04-transactions",
                "05-ddl-create",
                "05-ddl-rename"
            })
    void bothFormsSayTheSame(String golden) throws IOException {
        List<String> packets = new ArrayList<>();
        for (JsonNode record : records(golden, "raw.jsonl")) {
            for (TableChange change :
                    QueueMessage.read(record.get("value").binaryValue()).changes()) {
                assertThat(change.position()).startsWith("binlog.");
                packets.add(text(change));
            }
        }
        List<String> flat = new ArrayList<>();
        for (JsonNode record : records(golden, "flat.jsonl")) {
            for (TableChange change : QueueMessage.read(JSON.writeValueAsBytes(record.get("value")))
                    .changes()) {
                flat.add(text(change));
            }
        }
        assertThat(packets).isNotEmpty();
        assertThat(flat).isEqualTo(packets);
    }

    private static List<JsonNode> records(String golden, String file) throws IOException {
        Path zipped = GOLDEN.resolve(golden).resolve(file + ".gz");
        try (InputStream in = Files.exists(zipped)
                ? new GZIPInputStream(Files.newInputStream(zipped))
                : Files.newInputStream(GOLDEN.resolve(golden).resolve(file))) {
            return JSON.readerFor(JsonNode.class).<JsonNode>readValues(in).readAll();
        }
    }

    private static String text(TableChange change) {
        StringBuilder text = new StringBuilder("%s %s.%s at %s ddl=%b sql=%s"
                .formatted(change.type(), change.schema(), change.table(), change.at(), change.isDdl(), change.sql()));
        for (TableChange.ChangedRow row : change.rows()) {
            text.append("\n  before ").append(text(row.before(), false));
            text.append("\n  after ").append(text(row.after(), change.type() == EventType.UPDATE));
        }
        return text.toString();
    }

    private static String text(RowImage row, boolean updated) {
        StringBuilder text = new StringBuilder();
        for (String name : row.names()) {
            text.append(name)
                    .append(row.keyNames().contains(name) ? "(key)" : "")
                    .append(updated && row.isUpdated(name) ? "(updated)" : "")
                    .append(' ')
                    .append(row.mysqlType(name))
                    .append('=')
                    .append(row.text(name))
                    .append(' ');
        }
        return text.toString();
    }

    @Test
    void anUpdateSaysWhatWasBefore() throws IOException {
        QueueMessage message = QueueMessage.read(bytes("""
                {"database":"shop","table":"orders","type":"UPDATE","isDdl":false,"es":1000,"pkNames":["id"],
                 "mysqlType":{"id":"int","note":"text"},"sqlType":{"id":4,"note":2005},
                 "data":[{"id":"1","note":null}],"old":[{"note":"first"}]}"""));

        TableChange.ChangedRow row = message.changes().get(0).rows().get(0);
        assertThat(row.before().number("id")).isEqualTo(1);
        assertThat(row.before().text("note")).isEqualTo("first");
        assertThat(row.after().isNull("note")).isTrue();
        assertThat(row.after().isUpdated("note")).isTrue();
        assertThat(row.after().isUpdated("id")).isFalse();
        assertThat(row.after().keyNames()).containsExactly("id");
        assertThat(row.after().mysqlType("note")).isEqualTo("text");
    }

    /** Flat updates have no key then, and no values before; what is after, and what has changed, both forms say. */
    @Test
    void bothFormsSayTheSameAfterUpdatesWithMinimalImages() throws IOException {
        List<String> packets = new ArrayList<>();
        for (JsonNode record : records("06-row-image-minimal", "raw.jsonl")) {
            for (TableChange change :
                    QueueMessage.read(record.get("value").binaryValue()).changes()) {
                packets.add(textAfter(change));
            }
        }
        List<String> flat = new ArrayList<>();
        for (JsonNode record : records("06-row-image-minimal", "flat.jsonl")) {
            for (TableChange change : QueueMessage.read(JSON.writeValueAsBytes(record.get("value")))
                    .changes()) {
                flat.add(textAfter(change));
            }
        }
        assertThat(packets).isNotEmpty();
        assertThat(flat).isEqualTo(packets);
    }

    private static String textAfter(TableChange change) {
        StringBuilder text = new StringBuilder("%s %s.%s".formatted(change.type(), change.schema(), change.table()));
        for (TableChange.ChangedRow row : change.rows()) {
            text.append("\n  after ").append(text(row.newest(), change.type() == EventType.UPDATE));
        }
        return text.toString();
    }

    private static TableChange.ChangedRow update(String data, String old) throws IOException {
        return QueueMessage.read(bytes("""
                {"database":"shop","table":"orders","type":"UPDATE","pkNames":["id"],
                 "data":[%s],"old":%s}""".formatted(data, old)))
                .changes()
                .get(0)
                .rows()
                .get(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{}]", "[]", "null"})
    void whatWasBeforeIsNotInventedIfAMessageDoesNotSayIt(String old) throws IOException {
        TableChange.ChangedRow minimal = update("{\"a\":\"10\"}", old);
        assertThat(minimal.after().isUpdated("a")).isTrue();
        assertThat(minimal.before().has("a")).isFalse();

        TableChange.ChangedRow completed = update("{\"id\":\"1\",\"a\":\"10\"}", old);
        assertThat(completed.after().isUpdated("a")).isTrue();
        assertThat(completed.after().isUpdated("id")).isFalse();
        assertThat(completed.before().names()).containsExactly("id");
        assertThat(completed.before().number("id")).isEqualTo(1);
    }

    /** As canal sends, after its column filter has left nothing of a row. */
    @Test
    void valuesBeforeThatCannotBeMatchedWithTheirRowsAreNotUsed() throws IOException {
        TableChange.ChangedRow row =
                update("{\"id\":\"2\",\"a\":\"20\"}", "[{\"a\":\"of row 1\"},{\"a\":\"of row 2\"}]");

        assertThat(row.before().names()).containsExactly("id");
        assertThat(row.after().isUpdated("a")).isTrue();
    }

    /** As a LONGTEXT may have them. */
    @Test
    void aValueOfMoreThanTwentyMillionCharactersIsRead() throws IOException {
        String value = "x".repeat(20_000_001);
        QueueMessage message = QueueMessage.read(bytes("""
                {"database":"shop","table":"orders","type":"INSERT","mysqlType":{"note":"longtext"},"sqlType":{"note":2005},
                 "data":[{"note":"VALUE"}],"old":null}""".replace("VALUE", value)));

        assertThat(message.changes().get(0).rows().get(0).after().text("note").length())
                .isEqualTo(value.length());
    }

    @Test
    void aMessageOfNeitherFormIsReported() {
        assertThatThrownBy(() -> QueueMessage.read(new byte[0])).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> QueueMessage.read(bytes("<xml/>"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> QueueMessage.read(bytes("{\"id\":"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() ->
                        QueueMessage.read(bytes("{\"type\":\"TELEPORT\"}")).changes())
                .isInstanceOf(IOException.class)
                .hasMessage("a flat message of type 'TELEPORT' is not known");
    }

    /** The example of docs/formats.md, shortened. */
    @Test
    void aMessageOfTheFormatOfDebeziumIsReported() {
        assertThatThrownBy(() -> QueueMessage.read(bytes("""
                {"before": null, "after": {"id":1,"v":"one"}, "source": {"connector":"mysql","db":"smoke","table":"t1"},
                 "op": "c", "ts_ms": 1795178375488, "transaction": null}""")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is it of canal.mq.format=debezium?");
    }
}
