package io.sluice.stream.pipeline;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.EventSource;
import io.sluice.protocol.bytes.ByteWriter;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.SourceServer;
import io.sluice.schema.ddl.SchemaRecorder;
import io.sluice.schema.ddl.SchemaTracker;
import io.sluice.schema.ddl.SourceTraits;
import java.io.EOFException;
import org.junit.jupiter.api.Test;

class DdlReplayTest {
    /** A server that is shut down ends a dump as if the binlog ended there. */
    @Test
    void aSourceThatEndsBeforeThePositionHasNotTheWholePart() {
        SchemaTracker tracker = new SchemaTracker(name -> null, SourceTraits.DEFAULT, SchemaRecorder.NONE);
        BinlogPosition from = new BinlogPosition("mysql-bin.000001", 4);
        try (DdlReplay replay = new DdlReplay(SourceServer.at("127.0.0.1", 3306), from, null, tracker)) {
            assertThatThrownBy(() ->
                            replay.run(new Empty(), false, new BinlogPosition("mysql-bin.000002", 4), reached -> {}))
                    .isInstanceOf(EOFException.class)
                    .hasMessageContaining("mysql-bin.000001:4")
                    .hasMessageContaining("mysql-bin.000002:4");
        }
    }

    private static final class Empty implements EventSource {
        @Override
        public int next(ByteWriter out) {
            return -1;
        }

        @Override
        public boolean hasBuffered() {
            return false;
        }

        @Override
        public void close() {}
    }
}
