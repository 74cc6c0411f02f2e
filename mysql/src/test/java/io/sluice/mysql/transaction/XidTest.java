package io.sluice.mysql.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.binlog.EventBody;
import io.sluice.mysql.binlog.XaPrepareEvent;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XidTest {
    private static final Xid AB = new Xid("6162", "", 1);

    @ParameterizedTest
    @ValueSource(
            strings = {
                " X'6162',X'',1",
                "x'6162'",
                "'ab'",
                "\"ab\" , ''",
                "0x6162,'',1",
                "'a\\b',\"\",1",
                "X'6162',X'',1 ONE PHASE",
                "'ab' one  phase "
            })
    void allTextsOfAnXidAreEqual(String text) {
        assertThat(Xid.parse(text)).isEqualTo(AB);
    }

    @Test
    void allPartsBelongToTheValue() {
        assertThat(Xid.parse("'ab','c'")).isNotEqualTo(AB);
        assertThat(Xid.parse("'ab','',2")).isNotEqualTo(AB);
        assertThat(Xid.parse("'abc'")).isNotEqualTo(Xid.parse("'ab','c'"));
        assertThat(Xid.parse("'it''s'")).isEqualTo(new Xid("69742773", "", 1));
    }

    @Test
    void hexadecimalDigitsAreReadInAnyCaseAndNumber() {
        assertThat(Xid.parse("X'6A4b'")).isEqualTo(new Xid("6a4b", "", 1));
        assertThat(Xid.parse("0xA6B,0xC")).as("an odd number of digits").isEqualTo(new Xid("0a6b", "0c", 1));
    }

    /** MySQL has numbers of 64 bits in statements, and of 32 in events. */
    @Test
    void anEventHasTheXidOfTheStatement() {
        byte[] body = HexFormat.of().parseHex("01" + "005ed0b2" + "02000000" + "01000000" + "6162" + "00");
        XaPrepareEvent event = XaPrepareEvent.decode(new EventBody(body, 0, body.length));

        assertThat(event.onePhase()).isTrue();
        assertThat(Xid.of(event)).isEqualTo(Xid.parse(" X'6162',X'00',3000000000"));
        assertThat(Xid.parse(Xid.of(event).toString())).isEqualTo(Xid.of(event));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "ab", "'ab", "X'6", "X'zz'", "'ab',", "'ab','',", "'ab','',x", "'ab' PHASE"})
    void otherTextsAreNoXid(String text) {
        assertThat(Xid.parse(text)).isNull();
    }
}
