package io.sluice.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The bytes are those that canal's own server was seen to send. */
class ServerPacketsTest {
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    @Test
    void aHandshakeHasTheVersionAndTheSeed() {
        assertThat(HEX.formatHex(ServerPackets.handshake(new byte[] {1, 2, 3, 4, 5, 6, 7, 8})))
                .isEqualTo("10 01 18 01 2a 0a 12 08 01 02 03 04 05 06 07 08");
    }

    @Test
    void anAckHasNoBody() {
        assertThat(HEX.formatHex(ServerPackets.ok())).isEqualTo("10 01 18 03");
    }

    @Test
    void anErrorHasItsCodeAndItsText() {
        assertThat(HEX.formatHex(ServerPackets.error(400, "no"))).isEqualTo("10 01 18 03 2a 07 08 90 03 12 02 6e 6f");
    }

    @Test
    void nothingIsABatchWithTheIdMinusOne() {
        assertThat(HEX.formatHex(ServerPackets.nothing()))
                .isEqualTo("10 01 18 07 2a 0b 08 ff ff ff ff ff ff ff ff ff 01");
    }
}
