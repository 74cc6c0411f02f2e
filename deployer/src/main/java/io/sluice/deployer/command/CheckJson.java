package io.sluice.deployer.command;

import io.sluice.server.check.InstanceReport;
import io.sluice.server.check.TableReport;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes the outcome of a check as JSON, for programs. */
record CheckJson(PrintStream out) implements CheckOutput {
    @Override
    public void badConfiguration(Path file, List<Problem> problems) {
        out.println(JsonText.of(
                object(file, problems.stream().map(CheckJson::problem).toList(), List.of(), List.of())));
    }

    @Override
    public void configuration(Path file, List<Warning> warnings, CheckResult result) {
        Map<String, Object> all = object(
                file,
                List.of(),
                warnings,
                result.tables().stream().map(CheckJson::instance).toList());
        result.effective().ifPresent(effective -> all.put("effective", effective.object()));
        result.connect().ifPresent(connect -> all.put("connect", connect.object()));
        JsonText.print(out, all);
    }

    private static Map<String, Object> object(Path file, List<?> problems, List<Warning> warnings, List<?> instances) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("file", file.toString());
        all.put("problems", problems);
        all.put("warnings", Warning.texts(warnings));
        all.put("instances", instances);
        return all;
    }

    private static Map<String, Object> problem(Problem problem) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("where", problem.origin().toString());
        object.put("key", problem.key());
        object.put("value", problem.value());
        object.put("problem", problem.complaint());
        return object;
    }

    private static Map<String, Object> instance(InstanceReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("destination", report.destination());
        object.put("address", report.address());
        object.put("server", report.server());
        object.put("failure", report.failure());
        object.put("tables", tables(report));
        object.put("switches", report.switches());
        object.put("obstacles", report.obstacles());
        object.put("notes", report.notes());
        return object;
    }

    private static Iterable<Map<String, Object>> tables(InstanceReport report) {
        return () -> report.tables().stream().map(CheckJson::table).iterator();
    }

    private static Map<String, Object> table(TableReport report) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("schema", report.schema());
        object.put("table", report.table());
        object.put("delivered", report.delivered());
        object.put("reason", report.reason());
        object.put("columns", report.columns());
        object.put("leftOut", report.leftOut());
        object.put("columnsReason", report.columnsReason());
        return object;
    }
}
