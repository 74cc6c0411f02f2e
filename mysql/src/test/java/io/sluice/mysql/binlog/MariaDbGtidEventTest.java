package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.MariaDbGtidEvent.AlterPhase;
import io.sluice.mysql.gtid.MariaDbGtid;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What follows the GTID depends on two bytes of flags. */
class MariaDbGtidEventTest {
    private static final String SEQUENCE_AND_DOMAIN = "0900000000000000" + "02000000";

    private static final EventHeader HEADER = new EventHeader(0, EventCode.MARIADB_GTID, 7, 42, 0, 0);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "a statement of its own, 01 000000000000, true, DONE, 0",
        "a transaction, 00 10 2c010000, false, DONE, 300",
        "one of a group, 02 0102030405060708 10 2c010000, false, DONE, 300",
        "prepares XA, 40 01000000 03 02 6162630102 10 2c010000, false, DONE, 300",
        "decides XA, 81 01000000 02 03 6162010203 10 2c010000, true, DONE, 300",
        "of two engines, 00 11 01 2c010000, false, DONE, 300",
        "starts an ALTER, 01 12 2c010000, true, STARTED, 300",
        "commits an ALTER, 01 14 0800000000000000 2c010000, true, DONE, 300",
        "rolls an ALTER back, 01 18 0800000000000000 2c010000, true, ROLLED_BACK, 300",
    })
    void readsWhatFollowsTheFlags(String name, String hex, boolean standalone, AlterPhase phase, long threadId) {
        MariaDbGtidEvent event = MariaDbGtidEvent.decode(HEADER, body(SEQUENCE_AND_DOMAIN + hex));

        assertThat(event)
                .as(name)
                .isEqualTo(new MariaDbGtidEvent(new MariaDbGtid(2, 7, 9), standalone, phase, threadId));
    }

    /** The upper bits of the count are flags. */
    @Test
    void readsAListOfGtids() {
        MariaDbGtidListEvent list = MariaDbGtidListEvent.decode(
                body("02000010" + "01000000 07000000 0500000000000000" + "02000000 08000000 0600000000000000"));

        assertThat(list.gtids()).isEqualTo(List.of(new MariaDbGtid(1, 7, 5), new MariaDbGtid(2, 8, 6)));
    }

    private static EventBody body(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        return new EventBody(bytes, 0, bytes.length);
    }
}
