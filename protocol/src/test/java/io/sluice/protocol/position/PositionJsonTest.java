package io.sluice.protocol.position;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PositionJsonTest {
    private static final LogPosition POSITION =
            new LogPosition("localhost", 3306, new EntryPosition("mysql-bin.000001", 1234, 1, 1700000000000L, ""));

    private static final String JSON = "{\"identity\":{\"slaveId\":-1,\"sourceAddress\":{\"address\":\"localhost\","
            + "\"port\":3306}},\"postion\":{\"gtid\":\"\",\"included\":false,\"journalName\":\"mysql-bin.000001\","
            + "\"position\":1234,\"serverId\":1,\"timestamp\":1700000000000}}";

    @Test
    void writesWhatCanalWrites() {
        assertThat(PositionJson.write(POSITION)).isEqualTo(JSON);
    }

    @Test
    void writesTheTypeFirstForZooKeeper() {
        assertThat(PositionJson.writeTyped(POSITION))
                .isEqualTo("{\"@type\":\"com.alibaba.otter.canal.protocol.position.LogPosition\"," + JSON.substring(1));
    }

    @Test
    void readsBothForms() {
        assertThat(PositionJson.read(JSON)).isEqualTo(POSITION);
        assertThat(PositionJson.read(PositionJson.writeTyped(POSITION))).isEqualTo(POSITION);
    }

    @Test
    void readsAnyOrderAndUnknownKeysAndAHostThatNobodyKnows() {
        String json = """
                { "postion": {"position": 4, "new": [1], "journalName": "b.000002", "gtid": "u:1-3", "timestamp": null},
                  "identity": {"sourceAddress": {"port": 3307, "address": "gone.invalid"}, "more": {}}}
                """;

        assertThat(PositionJson.read(json))
                .isEqualTo(new LogPosition("gone.invalid", 3307, new EntryPosition("b.000002", 4, 0, 0, "u:1-3")));
    }

    @Test
    void keepsAnUnresolvedSourceWithoutAddress() {
        LogPosition unresolved = new LogPosition("", 3306, POSITION.position());

        assertThat(PositionJson.write(unresolved)).doesNotContain("\"address\"");
        assertThat(PositionJson.read(PositionJson.write(unresolved))).isEqualTo(unresolved);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | a position is not a JSON object but missing",
                "{\"identity\" | not JSON",
                "[] | a position is not a JSON object but []",
                "{} | a position's identity is not an object but missing",
                "{\"identity\":{\"sourceAddress\":{\"port\":3306}}} | a position's postion is not an object but missing",
            })
    void saysWhatIsWrong(String json, String message) {
        assertThatThrownBy(() -> PositionJson.read(json))
                .isInstanceOf(PositionFormatException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1234 | \"1234\" | a position's postion.position is not a whole number of 0 or more but \"1234\"",
                "1234 | -4 | a position's postion.position is not a whole number of 0 or more but -4",
                "1234 | 99999999999999999999 | a position's postion.position is not a whole number",
                "\"mysql-bin.000001\" | 7 | a position's postion.journalName is not a string but 7",
                "3306 | 70000 | a position's identity.sourceAddress.port is not 1 to 65535: 70000",
                "1700000000000}} | 1}} {} | not JSON",
            })
    void saysWhichValueIsWrong(String good, String bad, String message) {
        assertThatThrownBy(() -> PositionJson.read(JSON.replace(good, bad)))
                .isInstanceOf(PositionFormatException.class)
                .hasMessageContaining(message);
    }
}
