package io.sluice.server.check;

import io.sluice.connector.api.convert.DdlPartition;
import io.sluice.connector.api.route.Explanation;
import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.TopicPartitions;
import io.sluice.format.split.RowKey;
import io.sluice.schema.filter.TableFilter;
import io.sluice.schema.filter.TableVerdict;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.server.ServerConfig;
import io.sluice.server.config.server.TopicNames;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes the routes of an instance's entries from the configuration alone: neither the source nor the broker is asked. */
public final class RouteCheck {
    private final ServerConfig server;
    private final InstanceConfig instance;
    private final TableFilter tables;

    public RouteCheck(ServerConfig server, InstanceConfig instance) {
        this.server = server;
        this.instance = instance;
        this.tables = instance.filter().tables();
    }

    /**
     * Where a table's entries go.
     *
     * @param table empty for what belongs to the schema as a whole, such as its creation
     * @param rows some of its rows
     */
    public RouteReport of(String schema, String table, List<GivenRow> rows) {
        Explanation why = instance.routing().rules().explain(schema, table, TopicPartitions.UNKNOWN);
        Partitioning partitioning = why.route().partitioning();
        TableVerdict verdict = table.isEmpty() ? new TableVerdict.Included("") : tables.explain(schema, table);
        return new RouteReport(
                schema,
                table,
                verdict.passes(),
                table.isEmpty() ? "" : VerdictText.of(verdict),
                why,
                columns(partitioning instanceof Partitioning.ByKey byKey ? byKey.key() : null),
                columns(why.route().messageKey()),
                TopicNames.problemOf(server.mode(), why.route().topic()),
                statements(partitioning, table),
                statementsReason(partitioning, table),
                rows.stream().map(row -> row(row, partitioning)).toList());
    }

    private static List<String> columns(@Nullable RowKey key) {
        return key == null ? List.of() : key.primary() ? List.of("$pk$") : key.columns();
    }

    private String statementsReason(Partitioning partitioning, String table) {
        if (partitioning instanceof Partitioning.One) {
            return "where everything goes";
        }
        return table.isEmpty()
                ? "what belongs to no table has no other"
                : "canal.mq.ddl.partition = "
                        + (instance.routing().ddlPartition() == DdlPartition.ALL ? "all" : "first");
    }

    private List<Integer> statements(Partitioning partitioning, String table) {
        if (partitioning instanceof Partitioning.One one) {
            return List.of(one.partition());
        }
        int count = partitioning instanceof Partitioning.ByKey byKey
                ? byKey.count()
                : ((Partitioning.ByTable) partitioning).count();
        boolean all = instance.routing().ddlPartition() == DdlPartition.ALL && !table.isEmpty();
        return IntStream.range(0, all ? count : 1).boxed().toList();
    }

    private RouteReport.Row row(GivenRow row, Partitioning partitioning) {
        if (partitioning instanceof Partitioning.One one) {
            return new RouteReport.Row(row.text(), null, one.partition(), "");
        }
        if (partitioning instanceof Partitioning.ByTable byTable) {
            return new RouteReport.Row(row.text(), null, byTable.partition(), "");
        }
        Partitioning.ByKey byKey = (Partitioning.ByKey) partitioning;
        if (byKey.key().primary()) {
            return row(row, byKey, row.all(), "taken for the columns of the primary key");
        }
        List<@Nullable String> values = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        // Packets know columns whatever their case, other formats do not: canal is the measure.
        boolean ignoreCase = server.mq().inPackets();
        for (String column : byKey.key().columns()) {
            String name = row.find(column, ignoreCase);
            if (name == null) {
                missing.add(column);
            }
            values.add(name == null ? null : row.values().get(name));
        }
        String note = missing.isEmpty() ? "" : "without " + String.join(", ", missing) + ", which counts as NULL does";
        return row(row, byKey, values, note);
    }

    private static RouteReport.Row row(
            GivenRow row, Partitioning.ByKey byKey, List<@Nullable String> values, String note) {
        int hash = byKey.hashOf(values);
        return new RouteReport.Row(row.text(), hash, byKey.partitionOf(hash), note);
    }
}
