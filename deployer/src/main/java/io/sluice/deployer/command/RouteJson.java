package io.sluice.deployer.command;

import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Reason;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.InstanceConfig;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the routes of tables as JSON, for programs. */
record RouteJson(PrintStream out) {
    void show(Path file, InstanceConfig instance, List<String> warnings, List<RouteReport> reports) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("file", file.toString());
        all.put("problems", List.of());
        all.put("warnings", warnings);
        all.put("destination", instance.destination());
        all.put("keyChange", instance.routing().keyChange().name().toLowerCase(Locale.ROOT));
        all.put("tables", reports.stream().map(RouteJson::table).toList());
        out.println(JsonText.of(all));
    }

    private static Map<String, Object> table(RouteReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("schema", report.schema());
        object.put("table", report.table());
        object.put("delivered", report.delivered());
        object.put("filter", report.filterReason());
        object.put("topic", report.why().route().topic());
        object.put("topicReason", reason(report.why().topic()));
        object.put("topicProblem", report.topicProblem() == null ? "" : report.topicProblem());
        partitioning(object, report.why().route().partitioning());
        object.put("keyColumns", report.keyColumns());
        object.put("partitionReason", reason(report.why().partition()));
        object.put("countReason", reason(report.why().count()));
        object.put("ddlPartitions", report.statements());
        object.put("ddlReason", report.statementsReason());
        object.put("messageKey", report.messageKey());
        object.put("messageKeyReason", reason(report.why().messageKey()));
        object.put("rows", report.rows().stream().map(RouteJson::row).toList());
        return object;
    }

    private static void partitioning(Map<String, Object> object, Partitioning partitioning) {
        if (partitioning instanceof Partitioning.One one) {
            object.put("partitioning", "one");
            object.put("partition", one.partition());
        } else if (partitioning instanceof Partitioning.ByTable byTable) {
            object.put("partitioning", "table");
            object.put("partition", byTable.partition());
            object.put("partitions", byTable.count());
        } else {
            Partitioning.ByKey byKey = (Partitioning.ByKey) partitioning;
            object.put("partitioning", "key");
            object.put("seed", byKey.seed());
            object.put("partitions", byKey.count());
        }
    }

    private static Map<String, Object> reason(Reason reason) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("key", reason.key());
        object.put("rule", reason.rule());
        object.put("column", reason.column());
        object.put("sentence", reason.sentence());
        return object;
    }

    private static Map<String, Object> row(RouteReport.Row row) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("row", row.text());
        if (row.hash() != null) {
            object.put("hash", row.hash());
        }
        object.put("partition", row.partition());
        object.put("note", row.note());
        return object;
    }
}
