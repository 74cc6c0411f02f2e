package io.sluice.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.admin.LogAdmin;
import io.sluice.protocol.admin.Packet;
import io.sluice.protocol.admin.PacketType;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes are those that canal's own classes make. */
class AdminPacketsTest {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    @Test
    void aHandshakeHasTheVersionAndTheSeed() {
        assertThat(HEX.formatHex(AdminPackets.handshake(new byte[] {1, 2, 3, 4, 5, 6, 7, 8})))
                .isEqualTo("10 01 18 01 22 0a 12 08 01 02 03 04 05 06 07 08");
    }

    @Test
    void successHasItsCodeToo() {
        assertThat(HEX.formatHex(AdminPackets.answer(0, ""))).isEqualTo("10 01 18 03 22 02 08 00");
    }

    @Test
    void aResultIsTheMessage() {
        assertThat(HEX.formatHex(AdminPackets.answer(0, "1"))).isEqualTo("10 01 18 03 22 05 08 00 12 01 31");
    }

    @Test
    void anErrorHasItsCodeAndItsText() {
        assertThat(HEX.formatHex(AdminPackets.answer(300, "no"))).isEqualTo("10 01 18 03 22 07 08 ac 02 12 02 6e 6f");
    }

    /** As canal's client sends it: what is not used is there, and empty. */
    @Test
    void aRequestIsReadWithWhatIsEmptyInIt() throws Exception {
        Packet packet = Packet.parseFrom(
                HEX.parseHex("18 06 22 14 0a 06 73 65 72 76 65 72 12 04 66 69 6c 65 1a 00 22 00 28 64"));
        LogAdmin log = LogAdmin.parseFrom(packet.getBody());

        assertThat(packet.getType()).isEqualTo(PacketType.LOG);
        assertThat(log.getType()).isEqualTo("server");
        assertThat(log.getAction()).isEqualTo("file");
        assertThat(log.getDestination()).isEmpty();
        assertThat(log.getCount()).isEqualTo(100);
    }
}
