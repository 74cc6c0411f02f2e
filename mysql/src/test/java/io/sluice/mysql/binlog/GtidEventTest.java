package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GtidEventTest {
    /** Of MySQL 9.7.4: {@code set gtid_next = 'AUTOMATIC:blue'; insert into tg values (2)}. */
    private static final String TAGGED =
            "027400000002d9020903bd038891039d0322c503c9029604f1030000000204040608626c756508040a"
                    + "080c7fc6e786a3b560061075041283120b";

    @Test
    void readsATaggedGtid() {
        GtidEvent event = GtidEvent.decodeTagged(body(TAGGED));

        assertThat(event.gtid()).hasToString("b6c2ef44-e4e7-11f1-b24b-02fc00000001:blue:1");
        assertThat(event.lastCommitted()).isEqualTo(1);
        assertThat(event.sequenceNumber()).isEqualTo(2);
    }

    /** MySQL 5.7 writes nothing after the logical clock; 5.6 has none. */
    @Test
    void readsTheLogicalClockThatEndsTheEvent() {
        String gtid = "01" + "b6c2ef44e4e711f1b24b02fc00000001" + "0900000000000000";

        GtidEvent event = GtidEvent.decode(body(gtid + "02" + "0700000000000000" + "0800000000000000"));
        assertThat(event.gtid()).hasToString("b6c2ef44-e4e7-11f1-b24b-02fc00000001:9");
        assertThat(event.lastCommitted()).isEqualTo(7);
        assertThat(event.sequenceNumber()).isEqualTo(8);

        assertThat(GtidEvent.decode(body(gtid)).lastCommitted()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "02, 1",
        "FE, 127",
        "0102, 128",
        "FDFF, 16383",
        "030002, 16384",
        "FF8877665544332211, 1234605616436508552",
        "7F88776655443322, 9626517791733640",
    })
    void readsNumbersOfOneToNineBytes(String hex, long number) {
        SerializedFields fields = new SerializedFields(body("020000" + hex));

        assertThat(fields.readUnsigned()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"00, 0", "02, -1", "04, 1", "06, -2", "FFFFFFFFFFFFFFFFFF, -9223372036854775808"})
    void readsSignedNumbers(String hex, long number) {
        SerializedFields fields = new SerializedFields(body("020000" + hex));

        assertThat(fields.readSigned()).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({
        "04, version 2",
        "020000, no number",
        "02000002, ends where",
        "02000004040000, follows field",
        "02000000000000, field 0 of an event follows field 0",
    })
    void rejectsDamage(String hex, String message) {
        assertThatThrownBy(() -> GtidEvent.decodeTagged(body(hex)))
                .isInstanceOf(MalformedEventException.class)
                .hasMessageContaining(message.strip());
    }

    @Test
    void theFlagTellsWhetherThereMayBeStatements() {
        assertThat(GtidEvent.hasRowsOnly(body("00"))).isTrue();
        assertThat(GtidEvent.hasRowsOnly(body("01"))).isFalse();
        assertThat(GtidEvent.hasRowsOnly(body(""))).isFalse();
    }

    private static EventBody body(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return new EventBody(bytes, 0, bytes.length);
    }
}
