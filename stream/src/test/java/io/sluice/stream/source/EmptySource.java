package io.sluice.stream.source;

import io.sluice.protocol.position.BinlogPosition;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.TableName;
import io.sluice.stream.mapping.HiddenColumns;
import io.sluice.stream.source.server.SourceHost;
import io.sluice.stream.source.server.SourceQueries;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a source without tables and without a binlog answers; tests override what they need. */
interface EmptySource extends SourceQueries {
    @Override
    default void moveTo(SourceHost host) {}

    @Override
    default @Nullable String createStatement(TableName table) {
        return null;
    }

    @Override
    default Map<TableName, String> createStatements(List<TableName> tables) {
        return Map.of();
    }

    @Override
    default List<TableName> tables(TableFilter filter) {
        return List.of();
    }

    @Override
    default Map<String, String> schemaCharsets() {
        return Map.of();
    }

    @Override
    default BinlogPosition binlogEnd() {
        return BinlogPosition.UNKNOWN;
    }

    @Override
    default HiddenColumns hiddenColumns() {
        return HiddenColumns.NONE;
    }

    @Override
    default SourceTraits traits() {
        return SourceTraits.DEFAULT;
    }

    @Override
    default @Nullable String variable(String name) {
        return null;
    }

    @Override
    default void abort() {}

    @Override
    default void close() {}
}
