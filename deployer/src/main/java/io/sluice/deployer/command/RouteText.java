package io.sluice.deployer.command;

import io.sluice.connector.api.route.Partitioning;
import io.sluice.connector.api.route.Reason;
import io.sluice.server.check.RouteReport;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.Warning;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Writes the routes of tables as text. */
record RouteText(PrintStream out) {
    void show(Path file, InstanceConfig instance, List<Warning> warnings, List<RouteReport> reports) {
        out.println(file + ": " + instance.destination());
        warnings.forEach(warning -> out.println("  warning: " + warning));
        String keyChange = instance.routing().keyChange().name().toLowerCase(Locale.ROOT);
        reports.forEach(report -> table(report, keyChange));
    }

    private void table(RouteReport report, String keyChange) {
        out.println();
        out.println(
                report.table().isEmpty()
                        ? report.name() + ": the schema as a whole; a table is written SCHEMA.TABLE"
                        : report.name());
        if (!report.delivered()) {
            line("filter", "left out, so that nothing of what follows happens");
            because(report.filterReason());
        }
        line("topic", report.why().route().topic());
        because(text(report.why().topic()));
        if (report.topicProblem() != null) {
            because("but the broker cannot have such a topic: " + report.topicProblem());
        }
        if (!report.table().isEmpty()) {
            rows(report, keyChange);
        }
        line("DDL", partitions(report.statements()));
        because(report.statementsReason());
        line(
                "key",
                report.why().route().messageKey() == null
                        ? "none"
                        : text(report.why().messageKey()));
        for (RouteReport.Row row : report.rows()) {
            String hash = row.hash() == null ? "" : "hash " + row.hash() + ", ";
            line("row", row.text() + ": " + hash + "partition " + row.partition());
            if (!row.note().isEmpty()) {
                because(row.note());
            }
        }
    }

    private void rows(RouteReport report, String keyChange) {
        Partitioning partitioning = report.why().route().partitioning();
        if (partitioning instanceof Partitioning.One one) {
            line("rows", "partition " + one.partition());
        } else if (partitioning instanceof Partitioning.ByTable byTable) {
            line("rows", "partition %d of %d".formatted(byTable.partition(), byTable.count()));
        } else {
            int count = ((Partitioning.ByKey) partitioning).count();
            line("rows", count == 1 ? "partition 0, the only one" : "partitions 0 to " + (count - 1));
        }
        because(text(report.why().partition()));
        if (!report.why().count().sentence().isEmpty()) {
            because("how many: " + text(report.why().count()));
        }
        if (partitioning instanceof Partitioning.ByKey) {
            because("an update that changes the key: canal.mq.keyChange = " + keyChange);
        }
    }

    private static String partitions(List<Integer> partitions) {
        return (partitions.size() == 1 ? "partition " : "partitions ")
                + partitions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    private static String text(Reason reason) {
        String rule = reason.rule().isEmpty() ? "" : ", column " + reason.column() + ", " + reason.rule();
        return reason.key().isEmpty() ? reason.sentence() : reason.key() + rule + ": " + reason.sentence();
    }

    private void line(String name, String text) {
        out.println("  %-7s%s".formatted(name, text));
    }

    private void because(String text) {
        out.println("         " + text);
    }
}
