package io.sluice.protocol.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ByteWriterTest {
    @Test
    void growsUpToItsLimit() {
        ByteWriter out = new ByteWriter(10);
        out.limitTo(100);
        out.write(new byte[60]);

        out.write(new byte[40]);

        assertThat(out.array()).hasSize(100);
        assertThatThrownBy(() -> out.writeByte(1))
                .isInstanceOf(TooManyBytesException.class)
                .hasMessage("101 bytes or more are needed, 100 are allowed")
                .extracting("bytes")
                .isEqualTo(101L);
        assertThat(out.size()).isEqualTo(100);
    }

    @Test
    void growsByAQuarterWhenItIsLarge() {
        ByteWriter out = new ByteWriter(1 << 22);
        out.setSize(1 << 22);

        out.writeByte(1);

        assertThat(out.array()).hasSize((1 << 22) + (1 << 20));
    }

    @Test
    void takesJustWhatIsNeededOfMoreThanThat() {
        ByteWriter out = new ByteWriter(16);

        out.write(new byte[1000]);

        assertThat(out.array()).hasSize(1000);
    }

    @Test
    void refusesMoreThanAnArrayCanHold() {
        ByteWriter out = new ByteWriter(16);
        out.setSize(16);

        assertThatThrownBy(() -> out.ensure(Integer.MAX_VALUE)).isInstanceOf(TooManyBytesException.class);
    }
}
