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
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
        assertThat(row.before().isKnown("id")).isTrue();
        assertThat(row.after().isNull("note")).isTrue();
        assertThat(row.after().isUpdated("note")).isTrue();
        assertThat(row.after().isUpdated("id")).isFalse();
        assertThat(row.after().keyNames()).containsExactly("id");
        assertThat(row.after().mysqlType("note")).isEqualTo("text");
    }

    /** Flat updates have no key then, and few values before; what is after, and what has changed, both forms say. */
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

    /**
     * Where a flat update cannot say what has changed: nothing known differs from the packet, and an update is not missed but for columns
     * that are changed without a value before beside others that have one.
     */
    @ParameterizedTest
    @CsvSource({
        "14-settings-filter-field, ''",
        "14-settings-filter-field-white, ''",
        "06-row-image-minimal, ''",
        "06-row-image-noblob, 'c c'"
    })
    void whatIsKnownOfAFlatUpdateIsWhatThePacketSays(String golden, String missed) throws IOException {
        List<TableChange> packets = changes(golden, "raw.jsonl");
        List<TableChange> flat = changes(golden, "flat.jsonl");
        assertThat(flat).hasSameSizeAs(packets);
        List<String> missing = new ArrayList<>();
        int unknown = 0;
        for (int i = 0; i < flat.size(); i++) {
            List<TableChange.ChangedRow> rows = flat.get(i).rows();
            assertThat(rows).hasSameSizeAs(packets.get(i).rows());
            for (int row = 0; flat.get(i).type() == EventType.UPDATE && row < rows.size(); row++) {
                TableChange.ChangedRow packet = packets.get(i).rows().get(row);
                RowImage before = rows.get(row).before();
                RowImage after = rows.get(row).after();
                assertThat(after.names()).isEqualTo(packet.after().names());
                assertThat(before.names()).containsAll(after.names());
                for (String name : after.names()) {
                    assertThat(after.text(name)).isEqualTo(packet.after().text(name));
                    if (!before.isKnown(name)) {
                        unknown++;
                        assertThat(after.isUpdated(name)).isTrue();
                    } else if (packet.after().isUpdated(name) && !after.isUpdated(name)) {
                        missing.add(name);
                    } else {
                        assertThat(after.isUpdated(name))
                                .isEqualTo(packet.after().isUpdated(name));
                        assertThat(before.text(name)).isEqualTo(packet.before().text(name));
                    }
                }
            }
        }
        assertThat(String.join(" ", missing)).isEqualTo(missed);
        assertThat(unknown).isPositive();
    }

    private static List<TableChange> changes(String golden, String file) throws IOException {
        List<TableChange> changes = new ArrayList<>();
        for (JsonNode record : records(golden, file)) {
            JsonNode value = record.get("value");
            byte[] body = value.isObject() ? JSON.writeValueAsBytes(value) : value.binaryValue();
            changes.addAll(QueueMessage.read(body).changes());
        }
        return changes;
    }

    private static List<TableChange.ChangedRow> updates(String data, String old) throws IOException {
        return QueueMessage.read(bytes("""
                {"database":"shop","table":"orders","type":"UPDATE","pkNames":["id"],
                 "data":[%s],"old":%s}""".formatted(data, old)))
                .changes()
                .get(0)
                .rows();
    }

    /** A column is followed by {@code *} if it counts as updated, and by {@code ?} if its value before is not known. */
    private static String text(TableChange.ChangedRow row) {
        return row.before().names().stream()
                .map(name -> name + (row.after().isUpdated(name) ? "*" : "")
                        + (row.before().isKnown(name) ? "" : "?") + "="
                        + row.before().text(name))
                .collect(Collectors.joining(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[{}]", "[]", "null", "[null]"})
    void whatWasBeforeIsNotKnownIfAMessageDoesNotSayIt(String old) throws IOException {
        assertThat(updates("{\"a\":\"10\"}", old)).map(QueueMessageTest::text).containsExactly("a*?=10");
        assertThat(updates("{\"id\":\"1\",\"a\":\"10\"}", old))
                .map(QueueMessageTest::text)
                .containsExactly("id=1 a*?=10");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // a column filter has dropped what changed in row 1; row 2 shows that the source logs s before
                "{'id':'1','s':'p'},{'id':'2','s':'q'} | [{},{'s':'old'}] | id=1 s=p, id=2 s*=old",
                "{'id':'1','s':'p','t':'x'},{'id':'2','s':'q','t':'y'} | [{},{'s':'old'}] | id=1 s=p t*?=x, id=2 s*=old t=y",
                // columns of earlier rows, with equal values
                "{'id':'1','s':'p'},{'id':'2','s':'q'} | [{'s':'old'},{'s':'q'}] | id=1 s*=old, id=2 s=q",
                // MINIMAL: the key has changed in row 1 alone
                "{'id':'5','a':'8'},{'id':'7','a':'9'} | [{'id':'4'},{'id':'7'}] | id*=4 a=8, id=7 a*?=9",
                // lists that cannot be matched: longer, as of canal with a column filter, and shorter
                "{'id':'2','a':'20'} | [{'a':'of row 1'},{'a':'of row 2'}] | id=2 a*?=20",
                "{'id':'2','a':'20'} | [{},{'id':'1'}] | id*?=2 a*?=20",
                "{'id':'1','a':'2'},{'id':'2','a':'3'} | [{'a':'of row 2'}] | id=1 a*?=2, id=2 a*?=3"
            })
    void ofAnUpdateWithoutOldValuesOnlyWhatIsCertainIsKnown(String data, String old, String expected)
            throws IOException {
        assertThat(updates(data.replace('\'', '"'), old.replace('\'', '"')).stream()
                        .map(QueueMessageTest::text)
                        .collect(Collectors.joining(", ")))
                .isEqualTo(expected);
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
