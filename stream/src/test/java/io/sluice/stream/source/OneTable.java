package io.sluice.stream.source;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticTable;

/** What a source with one table answers. */
record OneTable(SyntheticTable table, SyntheticBinlog binlog) implements EmptySource {
    @Override
    public void moveTo(SourceHost host) {}

    @Override
    public String createStatement(TableName name) {
        return table.createStatement();
    }

    @Override
    public BinlogPosition binlogEnd() {
        return new BinlogPosition(binlog.newestFile(), binlog.end());
    }

    @Override
    public SourceTraits traits() {
        return binlog.flavour().isMariaDb() ? new SourceTraits(true, 101106, false) : SourceTraits.DEFAULT;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
