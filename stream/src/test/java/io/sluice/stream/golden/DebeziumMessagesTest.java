package io.sluice.stream.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.format.debezium.DebeziumFormat;
import io.sluice.format.entry.Encodings;
import io.sluice.format.entry.Entry;
import io.sluice.format.entry.EntryKind;
import io.sluice.format.message.BatchOrigin;
import io.sluice.format.message.MessageEncoder;
import io.sluice.format.split.RowCut;
import io.sluice.format.split.RowKey;
import io.sluice.format.split.RowPieces;
import io.sluice.mysql.type.TypeFamily;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.entry.Column;
import io.sluice.protocol.entry.EventType;
import io.sluice.protocol.entry.RowChange;
import io.sluice.protocol.entry.RowData;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rows of recorded events as messages in Debezium's envelope: all types, row images, and servers. */
class DebeziumMessagesTest {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    private static final BatchOrigin BATCH = new BatchOrigin(1, 5);
    private static final Pattern BINARY = Pattern.compile("(?i)(?:binary|char)(?:\\((\\d+)\\))?");

    static Stream<GoldenCase> cases() throws Exception {
        List<GoldenCase> cases = new ArrayList<>(GoldenCase.all(GoldenFileTest.MYSQL_SERVERS, GoldenFileTest.GROUPS));
        cases.addAll(GoldenCase.all(GoldenFileTest.MARIADB_SERVERS, GoldenFileTest.GROUPS));
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void haveTheColumnsOfTheProtobufRows(GoldenCase golden) throws Exception {
        MessageEncoder encoder = new DebeziumFormat().newEncoder();
        for (Entry entry : GoldenRun.entries(golden, false)) {
            if (entry.kind() != EntryKind.ROWS) {
                assertThat(encoder.encode(entry, BATCH, new ByteWriter(64))).isFalse();
                continue;
            }
            RowPieces pieces = Encodings.pieces(entry, new RowCut(RowKey.PRIMARY, null, false, false));
            RowChange change = RowChange.parseFrom(io.sluice.protocol.entry.Entry.parseFrom(GoldenRun.protobuf(entry))
                    .getStoreValue());
            assertThat(pieces.count()).isEqualTo(change.getRowDatasCount());
            for (int row = 0; row < pieces.count(); row++) {
                ByteWriter out = new ByteWriter(64);
                assertThat(encoder.encode(pieces.entryOf(row), BATCH, out)).isTrue();
                requireRow(JSON.readTree(out.toByteArray()), entry, row, change.getRowDatas(row));
            }
        }
    }

    private static void requireRow(JsonNode message, Entry entry, int row, RowData expected) {
        EventType type = entry.eventType();
        assertThat(message.get("op").asText())
                .isEqualTo(type == EventType.INSERT ? "c" : type == EventType.DELETE ? "d" : "u");
        JsonNode source = message.get("source");
        assertThat(source.get("db").asText()).isEqualTo(entry.schemaName());
        assertThat(source.get("table").asText()).isEqualTo(entry.tableName());
        assertThat(source.get("ts_ms").asLong()).isEqualTo(entry.executeTimeMillis());
        assertThat(source.get("file").asText()).isEqualTo(entry.changeId().file());
        assertThat(source.get("pos").asLong()).isEqualTo(entry.changeId().offset());
        assertThat(source.get("row").asInt()).isEqualTo(entry.changeId().row() + row);
        requireImage(message.get("before"), type != EventType.INSERT, expected.getBeforeColumnsList());
        requireImage(
                message.get("after"),
                type != EventType.DELETE,
                expected.getAfterColumnsList().stream()
                        .filter(column -> !isFunction(column))
                        .toList());
    }

    /** Of a document that is logged as the difference to one that the image before lacks. */
    private static boolean isFunction(Column column) {
        return TypeFamily.of(column.getMysqlType()) == TypeFamily.JSON
                && column.getValue().startsWith("JSON_");
    }

    private static void requireImage(JsonNode image, boolean isThere, List<Column> expected) {
        assertThat(image.isNull()).isEqualTo(!isThere);
        assertThat(image.size()).isEqualTo(expected.size());
        for (Column column : expected) {
            JsonNode value = image.get(column.getName());
            assertThat(value).as(column.getName()).isNotNull();
            assertThat(value.isNull()).as(column.getName()).isEqualTo(column.getIsNull());
            if (!column.getIsNull()) {
                requireValue(value, column);
            }
        }
    }

    private static void requireValue(JsonNode value, Column column) {
        String name = column.getName() + " " + column.getMysqlType();
        switch (TypeFamily.of(column.getMysqlType())) {
            case INTEGER, FLOAT -> {
                assertThat(value.isNumber()).as(name).isTrue();
                assertThat(value.decimalValue()).as(name).isEqualByComparingTo(new BigDecimal(column.getValue()));
            }
            case BIT -> {
                boolean isOne = column.getMysqlType().matches("(?i)bit(\\s*\\(\\s*1\\s*\\))?");
                assertThat(value.isBoolean()).as(name).isEqualTo(isOne);
                assertThat(isOne ? value.asBoolean() ? "1" : "0" : value.asText())
                        .as(name)
                        .isEqualTo(column.getValue());
            }
            case ENUM, SET -> requireMembers(value, column, name);
            case GEOMETRY -> {
                byte[] bytes = column.getValue().getBytes(StandardCharsets.ISO_8859_1);
                assertThat(decode(value.get("wkb"))).as(name).isEqualTo(Arrays.copyOfRange(bytes, 4, bytes.length));
                assertThat(value.get("srid").asLong() & 0xFF).as(name).isEqualTo(bytes[0] & 0xFF);
            }
            default -> {
                assertThat(value.isTextual()).as(name).isTrue();
                if (column.getSqlType() == Types.BLOB) {
                    requireBytes(decode(value), column, name);
                } else {
                    assertThat(value.asText()).as(name).isEqualTo(column.getValue());
                }
            }
        }
    }

    /** The protobuf form ends a BINARY(n) before its last zero bytes, as canal does. */
    private static void requireBytes(byte[] bytes, Column column, String name) {
        byte[] expected = column.getValue().getBytes(StandardCharsets.ISO_8859_1);
        Matcher binary = BINARY.matcher(column.getMysqlType());
        int length =
                !binary.matches() ? expected.length : binary.group(1) == null ? 1 : Integer.parseInt(binary.group(1));
        assertThat(bytes).as(name).isEqualTo(Arrays.copyOf(expected, length));
    }

    /** The members are at the places in the text of the type that the number of the value says. */
    private static void requireMembers(JsonNode value, Column column, String name) {
        long number = Long.parseUnsignedLong(column.getValue());
        List<String> members = Arrays.stream(column.getMysqlType()
                        .substring(
                                column.getMysqlType().indexOf('\'') + 1,
                                column.getMysqlType().lastIndexOf('\''))
                        .split("','", -1))
                .map(member -> member.replace("''", "'"))
                .toList();
        String expected = TypeFamily.of(column.getMysqlType()) == TypeFamily.ENUM
                ? number == 0 ? "" : members.get((int) number - 1)
                : IntStream.range(0, members.size())
                        .filter(i -> (number >>> i & 1) != 0)
                        .mapToObj(members::get)
                        .collect(Collectors.joining(","));
        assertThat(value.isTextual()).as(name).isTrue();
        assertThat(value.asText()).as(name).isEqualTo(expected);
    }

    private static byte[] decode(JsonNode base64) {
        return Base64.getDecoder().decode(base64.asText());
    }
}
