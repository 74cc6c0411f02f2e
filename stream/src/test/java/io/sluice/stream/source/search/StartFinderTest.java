package io.sluice.stream.source.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.wire.ConnectOptions;
import io.sluice.mysql.wire.ServerAddress;
import io.sluice.protocol.position.BinlogPosition;
import io.sluice.protocol.position.Cursor;
import io.sluice.stream.source.OneBinlog;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.StartPosition;
import io.sluice.testkit.binlog.RandomTransactions;
import io.sluice.testkit.binlog.RandomTransactions.Form;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticBinlog.Flavour;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StartFinderTest {
    private static final ServerAddress ADDRESS = new ServerAddress("db", 3306);
    private static final long BEGUN = 1_700_000_000;
    private static final PositionOptions SHOWN = new PositionOptions(true, true, false, Duration.ZERO);

    private final SyntheticBinlog withoutGtids = binlog(Flavour.MYSQL_ANONYMOUS);

    @Test
    void aCursorWithoutGtidsIsContinuedByFileIfTheSourceHasNone() throws IOException {
        BinlogPosition position = new BinlogPosition(withoutGtids.newestFile(), withoutGtids.end());

        StartPoint start = finder(withoutGtids, new StartPosition.Newest()).from(cursor(position));

        requireByFile(start, position);
    }

    @Test
    void everyStartIsByFileIfTheSourceHasNoGtids() throws IOException {
        BinlogPosition first = new BinlogPosition(withoutGtids.fileNames().get(0), 4);
        BinlogPosition end = new BinlogPosition(withoutGtids.newestFile(), withoutGtids.end());

        requireByFile(configured(new StartPosition.At(first, null)), first);
        requireByFile(configured(new StartPosition.Earliest()), first);
        requireByFile(configured(new StartPosition.Newest()), end);
        assertThat(configured(new StartPosition.Since(null, Instant.ofEpochSecond(BEGUN + 5)))
                        .byGtids())
                .isFalse();
        assertThat(configured(new StartPosition.Since(first.file(), Instant.ofEpochSecond(BEGUN + 5)))
                        .byGtids())
                .isFalse();
    }

    @ParameterizedTest
    @EnumSource(
            value = Flavour.class,
            names = {"MYSQL_GTID", "MARIADB"})
    void aCursorWithoutGtidsIsContinuedByThoseBeforeIt(Flavour flavour) throws IOException {
        SyntheticBinlog binlog = binlog(flavour);
        BinlogPosition position = new BinlogPosition(binlog.newestFile(), binlog.end());

        StartPoint start = finder(binlog, new StartPosition.Newest()).from(cursor(position));

        assertThat(start.byGtids()).isTrue();
        assertThat(start.executed()).hasToString(binlog.executed());
    }

    /** As where transactions without a GTID are before it in its file. */
    @Test
    void aPositionWhoseGtidsCannotBeDeterminedIsContinuedByFile() throws IOException {
        SyntheticBinlog binlog = binlog(Flavour.MYSQL_GTID);
        BinlogPosition withinAnEvent = new BinlogPosition(binlog.newestFile(), binlog.end() - 1);

        StartPoint start = finder(binlog, new StartPosition.Newest()).from(cursor(withinAnEvent));

        requireByFile(start, withinAnEvent);
    }

    private StartPoint configured(StartPosition start) throws IOException {
        return finder(withoutGtids, start).fromConfiguration();
    }

    private static void requireByFile(StartPoint start, BinlogPosition position) {
        assertThat(start.position()).isEqualTo(position);
        assertThat(start.executed()).isNull();
        assertThat(start.byGtids()).isFalse();
    }

    private static StartFinder finder(SyntheticBinlog binlog, StartPosition start) {
        OneBinlog source = new OneBinlog(ADDRESS, binlog);
        SourceHost host = new SourceHost(ConnectOptions.of(ADDRESS, "reader", ""), start);
        return new StartFinder("shop", SHOWN, host, source, source, source.hasGtids(), () -> 0);
    }

    private static Cursor cursor(BinlogPosition position) {
        return new Cursor(ADDRESS.host(), ADDRESS.port(), position, "", 7, BEGUN * 1000);
    }

    private static SyntheticBinlog binlog(Flavour flavour) {
        UUID server = UUID.fromString("323b686a-e4de-11f1-8f50-02fc00000001");
        SyntheticBinlog binlog = new SyntheticBinlog(flavour, 7, server, BEGUN, false);
        RandomTransactions transactions = new RandomTransactions(binlog, new Random(1));
        for (int i = 0; i < 3; i++) {
            binlog.advance(10);
            transactions.write(Form.ROWS);
        }
        return binlog;
    }
}
