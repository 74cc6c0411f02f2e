package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.dump.DumpRequest;
import io.sluice.protocol.position.BinlogPosition;
import org.junit.jupiter.api.Test;

class HostCheckTest {
    /** A file is larger than its limit if a transaction is. */
    @Test
    void aPositionThatNoRequestCanStateIsAFailureWithARemedy() {
        BinlogPosition last = new BinlogPosition("binlog.000007", DumpRequest.LARGEST_POSITION);
        BinlogPosition beyond = new BinlogPosition(last.file(), last.offset() + 1);

        assertThatCode(() -> HostCheck.requireRequestable(last)).doesNotThrowAnyException();
        assertThatThrownBy(() -> HostCheck.requireRequestable(beyond))
                .isInstanceOfSatisfying(
                        SourceException.class, e -> assertThat(e.failure()).isEqualTo(SourceFailure.MISCONFIGURED))
                .hasMessageContaining("binlog.000007:4294967296")
                .hasMessageContaining("gtid_mode=ON");
    }
}
