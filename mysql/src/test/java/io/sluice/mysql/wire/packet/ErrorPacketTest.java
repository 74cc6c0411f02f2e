package io.sluice.mysql.wire.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.error.MalformedPacketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorPacketTest {
    @Test
    void aMessageIsReadToItsEnd() throws Exception {
        assertThat(decode("#28000Zugriff für 'canal' verweigert"))
                .isEqualTo(new ErrorPacket(1045, "28000", "Zugriff für 'canal' verweigert"));
        assertThat(decode("Too many connections")).isEqualTo(new ErrorPacket(1045, "HY000", "Too many connections"));
        assertThat(decode("#28000").message()).isEmpty();
        assertThat(decode("#28000" + "x".repeat(2048)).message()).isEqualTo("x".repeat(2048));
    }

    /** Before the login, anything may answer at the address of a server. */
    @Test
    void aMessageIsLimitedAndNoCharacterIsCut() throws Exception {
        assertThat(decode("#28000" + "x:".repeat(30_000)).message()).isEqualTo("x:".repeat(1024) + "…");
        for (String character : new String[] {"ü", "€", "\uD83D\uDE00"}) {
            for (int before = 2044; before <= 2048; before++) {
                int whole = before + character.getBytes(StandardCharsets.UTF_8).length <= 2048 ? 1 : 0;

                assertThat(decode("x".repeat(before) + character + "yyyy").message())
                        .startsWith("x".repeat(before) + character.repeat(whole))
                        .doesNotContain("\uFFFD")
                        .endsWith("…");
            }
        }
    }

    /** What is no UTF-8 may have no beginning of a character at all. */
    @Test
    void aMessageOfOtherBytesIsLimitedToo() throws Exception {
        byte[] packet = new byte[5000];
        Arrays.fill(packet, (byte) 0x80);
        packet[0] = (byte) 0xFF;

        assertThat(ErrorPacket.decode(new Payload(packet, 0, packet.length)).message())
                .isEqualTo("…");
    }

    private static ErrorPacket decode(String afterNumber) throws MalformedPacketException {
        byte[] text = afterNumber.getBytes(StandardCharsets.UTF_8);
        byte[] packet = new byte[3 + text.length];
        packet[0] = (byte) 0xFF;
        packet[1] = 0x15;
        packet[2] = 0x04;
        System.arraycopy(text, 0, packet, 3, text.length);
        return ErrorPacket.decode(new Payload(packet, 0, packet.length));
    }
}
