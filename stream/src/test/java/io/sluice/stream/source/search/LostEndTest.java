package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.stream.source.OneBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LostEndTest {
    private static final long BEGUN = 1_700_000_000;

    private final SyntheticBinlog binlog = new SyntheticBinlog(
            Flavour.MYSQL_ANONYMOUS, 7, UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001"), BEGUN, false);
    private final OneBinlog server = new OneBinlog(new ServerAddress("db", 3306), binlog);

    @Test
    void aFileThatEndsBeforeWhatWasReadOfItHasLostItsEnd() {
        BinlogPosition read = beyond();
        binlog.crash();

        LostEndException lost = failure(LostEndException.class, read, BEGUN);

        assertThat(lost.failure()).isEqualTo(SourceFailure.DIVERGED);
        assertThat(lost.isCertain()).isTrue();
        assertThat(lost.next()).isEqualTo(new BinlogPosition("binlog.000002", 4));
        assertThat(lost).hasMessageContaining("has lost the end of " + read.file());
        assertThat(lost.remedy()).contains("--to binlog.000002:4 ", "sync_binlog=1");
    }

    @Test
    void aFileThatIsNotKnownToBeTheOneThatWasReadMayBeAnother() {
        BinlogPosition read = beyond();
        binlog.crash();

        LostEndException lost = failure(LostEndException.class, read, 0);

        assertThat(lost.failure()).isEqualTo(SourceFailure.PURGED);
        assertThat(lost.isCertain()).isFalse();
        assertThat(lost).hasMessageContaining("is beyond the end of the file");
        assertThat(lost.remedy()).contains("--to binlog.000002:4 ", "--time T");
    }

    @Test
    void aFileThatWasBegunAtAnotherTimeIsAnother() {
        BinlogPosition read = beyond();
        binlog.crash();

        assertThat(failure(SourceException.class, read, BEGUN - 1))
                .isNotInstanceOf(LostEndException.class)
                .hasMessageContaining("is another file than the one that was read");
    }

    /** What is beyond its end may come. */
    @Test
    void theNewestFileHasLostNothing() {
        assertThatCode(() -> require(beyond(), BEGUN)).doesNotThrowAnyException();
    }

    @Test
    void aFileThatWasReadToItsEndHasLostNothing() {
        BinlogPosition end = new BinlogPosition(binlog.newestFile(), binlog.end());
        binlog.crash();

        assertThatCode(() -> require(end, BEGUN)).doesNotThrowAnyException();
    }

    private BinlogPosition beyond() {
        return new BinlogPosition(binlog.newestFile(), binlog.end() + 1);
    }

    private <E extends Exception> E failure(Class<E> kind, BinlogPosition position, long begunSeconds) {
        return catchThrowableOfType(kind, () -> require(position, begunSeconds));
    }

    private void require(BinlogPosition position, long begunSeconds) throws Exception {
        LostEnd.require(DumpStart.at(position, 7, 0).inFileBegunAt(begunSeconds), server, server);
    }
}
