package io.sluice.protocol.flat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlatMessageTest {
    private static FlatMessage read(String json) throws IOException {
        return FlatMessage.read(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void anUpdateHasItsRowsAndWhatTheyHeldBefore() throws IOException {
        FlatMessage message = read("""
                {"data":[{"id":"1","name":"ANN","pic":"\u00ff\\u0000","note":null}],"database":"shop","es":1719800010000,\
                "gtid":"","id":8,"isDdl":false,"mysqlType":{"id":"int","name":"varchar(20)"},"old":[{"name":"ann"}],\
                "pkNames":["id"],"sql":"","sqlType":{"id":4,"name":12},"table":"member","ts":1719800010120,\
                "type":"UPDATE","later":{"more":1}}""");

        assertThat(message.type()).isEqualTo("UPDATE");
        assertThat(message.database() + "." + message.table()).isEqualTo("shop.member");
        assertThat(message.pkNames()).containsExactly("id");
        assertThat(message.data()).hasSize(1);
        assertThat(message.data().get(0)).containsEntry("name", "ANN").containsEntry("note", null);
        assertThat(FlatMessage.bytes(message.data().get(0).get("pic"))).containsExactly(0xff, 0);
        assertThat(message.old()).containsExactly(Map.of("name", "ann"));
        assertThat(message.sqlType()).containsEntry("id", 4);
        assertThat(message.mysqlType()).containsEntry("name", "varchar(20)");
        assertThat(message.id()).isEqualTo(8);
        assertThat(message.es()).isEqualTo(1719800010000L);
        assertThat(message.ts()).isEqualTo(1719800010120L);
    }

    @Test
    void aStatementHasNoRows() throws IOException {
        FlatMessage message = read("""
                {"data":null,"database":"shop","es":1,"gtid":"","id":10,"isDdl":true,"mysqlType":null,"old":null,\
                "pkNames":null,"sql":"CREATE TABLE g1 (id int primary key)","sqlType":null,"table":"g1","ts":2,\
                "type":"CREATE"}""");

        assertThat(message.isDdl()).isTrue();
        assertThat(message.sql()).isEqualTo("CREATE TABLE g1 (id int primary key)");
        assertThat(message.data()).isEmpty();
        assertThat(message.old()).isEmpty();
        assertThat(message.pkNames()).isEmpty();
    }

    @Test
    void aNullInsteadOfWhatARowHeldBeforeStatesNothing() throws IOException {
        assertThat(read("{\"type\":\"INSERT\",\"data\":[{\"a\":\"1\"}],\"old\":[null]}")
                        .old())
                .containsExactly(Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "null", "[]", "{", "{}", "{\"data\":7}", "{\"op\":\"c\",\"after\":{\"id\":1}}", "\u0000"})
    void aMalformedFlatMessageIsReported(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"pkNames   | [null]", "data      | [null]", "sqlType   | {\"a\":null}", "mysqlType | {\"a\":null}"
            })
    void aNullWhereNoneIsPossibleIsReported(String field, String value) {
        assertThatThrownBy(() -> read("{\"type\":\"UPDATE\",\"data\":[{\"a\":\"1\"}],\"old\":[{}],\"%s\":%s}"
                        .formatted(field, value)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("has no null in " + field);
    }
}
