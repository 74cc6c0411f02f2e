package io.sluice.connector.api.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.format.protobuf.ProtobufEncoder;
import io.sluice.format.split.ImageRowSplitter;
import io.sluice.protocol.bytes.ByteWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkspaceTest {
    private final Workspace buffers = new Workspace(new ProtobufEncoder(), new ImageRowSplitter());

    @Test
    void aBufferThatWasGivenBackIsTakenAgainAsIfItWereNew() {
        ByteWriter buffer = buffers.take();
        buffer.write(new byte[5000]);
        buffer.limitTo(6000);
        buffers.giveBack(buffer);

        ByteWriter again = buffers.take();

        assertThat(again).isSameAs(buffer);
        assertThat(again.size()).isZero();
        again.write(new byte[7000]);
        buffers.giveBack(again);
    }

    @Test
    void twoThatAreTakenAtATimeAreDifferent() {
        ByteWriter one = buffers.take();
        ByteWriter other = buffers.take();

        assertThat(one).isNotSameAs(other);
        buffers.giveBack(one);
        buffers.giveBack(other);
    }

    @Test
    void theyAreNotKeptBeyondABound() {
        List<ByteWriter> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            ByteWriter buffer = buffers.take();
            buffer.ensure(1 << 20);
            all.add(buffer);
        }
        all.forEach(buffers::giveBack);
        ByteWriter huge = buffers.take();
        huge.ensure(1 << 24);
        buffers.giveBack(huge);

        long kept = 0;
        for (int i = 0; i < 20; i++) {
            ByteWriter buffer = buffers.take();
            kept += buffer.array().length;
        }

        assertThat(kept).isBetween(1L << 20, (4L << 20) + 20 * 1024);
    }
}
