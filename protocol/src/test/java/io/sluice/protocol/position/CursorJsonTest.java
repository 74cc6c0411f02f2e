package io.sluice.protocol.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CursorJsonTest {
    private static final Cursor CURSOR =
            new Cursor("localhost", 3306, new BinlogPosition("mysql-bin.000001", 1234), "", 1, 1700000000000L);

    private static final String JSON = "{\"identity\":{\"slaveId\":-1,\"sourceAddress\":{\"address\":\"localhost\","
            + "\"port\":3306}},\"postion\":{\"gtid\":\"\",\"included\":false,\"journalName\":\"mysql-bin.000001\","
            + "\"position\":1234,\"serverId\":1,\"timestamp\":1700000000000}}";

    @Test
    void writesWhatCanalWrites() {
        assertThat(CursorJson.write(CURSOR)).isEqualTo(JSON);
    }

    @Test
    void writesTheTypeFirstForZooKeeper() {
        assertThat(typed(CURSOR))
                .isEqualTo("{\"@type\":\"com.alibaba.otter.canal.protocol.position.LogPosition\"," + JSON.substring(1));
    }

    @Test
    void readsBothForms() {
        assertThat(CursorJson.read(JSON)).isEqualTo(CURSOR);
        assertThat(CursorJson.read(typed(CURSOR))).isEqualTo(CURSOR);
    }

    @Test
    void readsAnyOrderUnknownKeysAndUnresolvableHosts() {
        String json = """
                { "postion": {"position": 4, "new": [1], "journalName": "b.000002", "gtid": "u:1-3", "timestamp": null},
                  "identity": {"sourceAddress": {"port": 3307, "address": "gone.invalid"}, "more": {}}}
                """;

        assertThat(CursorJson.read(json))
                .isEqualTo(new Cursor("gone.invalid", 3307, new BinlogPosition("b.000002", 4), "u:1-3", 0, 0));
    }

    @Test
    void keepsWhatItReliesOnOfTheSchemaHistory() {
        Cursor referring =
                CURSOR.withSchema(new SchemaReference("6f0e1a2b", 17, new BinlogPosition("mysql-bin.000001", 1200)));

        assertThat(CursorJson.write(referring))
                .isEqualTo(
                        JSON.substring(0, JSON.length() - 1)
                                + ",\"schema\":{\"history\":\"6f0e1a2b\",\"row\":17,\"file\":\"mysql-bin.000001\",\"offset\":1200}}");
        assertThat(CursorJson.read(typed(referring))).isEqualTo(referring);
    }

    @Test
    void keepsTheIdentityOfTheServer() {
        Cursor of = new Cursor(
                new SourceServer("localhost", 3306, "3E11FA47-71CA-11E1-9E33-C80AA9429562"),
                CURSOR.position(),
                CURSOR.gtidSet(),
                CURSOR.serverId(),
                CURSOR.timestampMillis(),
                null);

        assertThat(CursorJson.write(of))
                .isEqualTo(
                        JSON.substring(0, JSON.length() - 1) + ",\"server\":\"3E11FA47-71CA-11E1-9E33-C80AA9429562\"}");
        assertThat(CursorJson.read(typed(of))).isEqualTo(of);
    }

    @Test
    void keepsWhenTheFileWasBegun() {
        Cursor begun = begunAt(1_699_999_000L);

        assertThat(CursorJson.write(begun))
                .isEqualTo(JSON.substring(0, JSON.length() - 1)
                        + ",\"begun\":{\"file\":\"mysql-bin.000001\",\"offset\":1234,\"seconds\":1699999000}}");
        assertThat(CursorJson.read(typed(begun))).isEqualTo(begun);
        assertThat(CursorJson.read(CursorJson.write(begun)).withSchema(null).withGtidSet(""))
                .isEqualTo(begun);
    }

    /** Its new file was begun at another time. */
    @ParameterizedTest
    @CsvSource({"mysql-bin.000001,mysql-bin.000002", "1234,4"})
    void aCursorThatWasEditedByHandHasNoBegin(String written, String edited) {
        String text = CursorJson.write(begunAt(1_699_999_000L));
        int end = text.indexOf("begun");
        String moved = text.substring(0, end).replace(written, edited) + text.substring(end);

        assertThat(CursorJson.read(moved).fileBegunSeconds()).isZero();
    }

    private static Cursor begunAt(long seconds) {
        return new Cursor(
                CURSOR.source(),
                CURSOR.position(),
                CURSOR.gtidSet(),
                CURSOR.serverId(),
                CURSOR.timestampMillis(),
                null,
                seconds);
    }

    @Test
    void keepsAnUnresolvedSourceWithoutAddress() {
        Cursor unresolved = new Cursor("", 3306, CURSOR.position(), "", 1, 1700000000000L);

        assertThat(CursorJson.write(unresolved)).doesNotContain("\"address\"");
        assertThat(CursorJson.read(CursorJson.write(unresolved))).isEqualTo(unresolved);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | a cursor is not a JSON object but missing",
                "{\"identity\" | not JSON",
                "[] | a cursor is not a JSON object but []",
                "{} | a cursor's identity is not an object but missing",
                "{\"identity\":{\"sourceAddress\":{\"port\":3306}}} | a cursor's postion is not an object but missing",
            })
    void saysWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> CursorJson.read(json))
                .isInstanceOf(CursorFormatException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1234 | \"1234\" | a cursor's postion.position is not a whole number of 0 or more but \"1234\"",
                "1234 | -4 | a cursor's postion.position is -4, since canal's offsets wrap beyond 4 GiB in a file: write 4294967292 in its place",
                "1234 | 99999999999999999999 | a cursor's postion.position is not a whole number",
                "\"mysql-bin.000001\" | 7 | a cursor's postion.journalName is not a string but 7",
                "3306 | 70000 | a cursor's identity.sourceAddress.port is not 1 to 65535: 70000",
                "1700000000000}} | 1}} {} | not JSON",
                "1700000000000}} | 1},\"schema\":{\"history\":\"h\"}} | a cursor's schema.row is not a whole number",
                "1700000000000}} | 1},\"begun\":{\"file\":\"b\",\"offset\":4}} | a cursor's begun.seconds is not a whole number",
            })
    void saysWhichValueIsWrong(String good, String bad, String message) {
        assertThatThrownBy(() -> CursorJson.read(JSON.replace(good, bad)))
                .isInstanceOf(CursorFormatException.class)
                .hasMessageContaining(message);
    }

    private static String typed(Cursor cursor) {
        return CursorJson.toTypedNode(cursor).toString();
    }
}
