package io.sluice.deployer.command;

import io.sluice.server.check.RouteReport;
import io.sluice.server.config.instance.InstanceConfig;
import io.sluice.server.config.text.Warning;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Writes the routes of tables as JSON, for programs. */
record RouteJson(PrintStream out) {
    void show(Path file, InstanceConfig instance, List<Warning> warnings, List<RouteReport> reports) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("file", file.toString());
        all.put("problems", List.of());
        all.put("warnings", Warning.texts(warnings));
        all.put("destination", instance.destination());
        all.put("keyChange", instance.routing().keyChange().name().toLowerCase(Locale.ROOT));
        all.put("tables", reports.stream().map(RouteReport::object).toList());
        out.println(JsonText.of(all));
    }
}
