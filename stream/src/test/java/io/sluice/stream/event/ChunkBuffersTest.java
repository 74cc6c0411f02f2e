package io.sluice.stream.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChunkBuffersTest {
    private final ChunkBuffers buffers = new ChunkBuffers();

    @Test
    @DisplayName("a returned buffer is reused, and is empty")
    void usesAgain() {
        ByteWriter buffer = buffers.take(1000);
        buffer.write(new byte[700]);
        buffers.give(buffer);

        ByteWriter next = buffers.take(900);

        assertThat(next).isSameAs(buffer);
        assertThat(next.size()).isZero();
        assertThat(buffers.take(900)).as("it has one owner").isNotSameAs(buffer);
    }

    @Test
    @DisplayName("a buffer that is too small, or much too large, is dropped")
    void letsGo() {
        ByteWriter small = buffers.take(1000);
        buffers.give(small);
        assertThat(buffers.take(1001).array()).hasSizeGreaterThan(1000);

        ByteWriter large = buffers.take(100_000);
        buffers.give(large);
        assertThat(buffers.take(1000).array()).hasSizeLessThan(100_000);
        assertThat(buffers.take(100_000)).isNotSameAs(large);
    }

    @Test
    @DisplayName("keeps a bounded number of returned buffers")
    void keepsSome() {
        List<ByteWriter> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(buffers.take(1000));
        }
        all.forEach(buffers::give);

        int again = 0;
        for (int i = 0; i < 20; i++) {
            ByteWriter next = buffers.take(1000);
            again += all.stream().anyMatch(one -> one == next) ? 1 : 0;
        }

        assertThat(again).isEqualTo(4);
    }
}
