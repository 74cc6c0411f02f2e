package io.sluice.stream.source;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import io.sluice.testkit.binlog.SyntheticBinlog;
import io.sluice.testkit.binlog.SyntheticTable;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a source with one table answers. */
record OneTable(SyntheticTable table, SyntheticBinlog binlog) implements SourceQueries {
    @Override
    public void moveTo(SourceHost host) {}

    @Override
    public String createStatement(TableName name) {
        return table.createStatement();
    }

    @Override
    public Map<TableName, String> createStatements(List<TableName> tables) {
        return Map.of();
    }

    @Override
    public List<TableName> tables(TableFilter filter) {
        return List.of();
    }

    @Override
    public Map<String, String> schemaCharsets() {
        return Map.of();
    }

    @Override
    public BinlogPosition binlogEnd() {
        return new BinlogPosition(binlog.newestFile(), binlog.end());
    }

    @Override
    public HiddenColumns hiddenColumns() {
        return HiddenColumns.NONE;
    }

    @Override
    public SourceTraits traits() {
        return binlog.flavour().isMariaDb() ? new SourceTraits(true, 101106, false) : SourceTraits.DEFAULT;
    }

    @Override
    public @Nullable String variable(String name) {
        return null;
    }

    @Override
    public void abort() {}

    @Override
    public void close() {}
}
