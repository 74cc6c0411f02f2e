package io.sluice.deployer.command;

import io.sluice.connector.api.probe.Finding;
import io.sluice.connector.api.probe.Verdict;
import io.sluice.server.probe.ConnectReport;
import io.sluice.server.probe.TargetReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats what was found out about the servers that instances need. */
record ConnectOutput(ConnectReport report) {
    private static final int VERDICT_WIDTH = Arrays.stream(Verdict.values())
            .mapToInt(verdict -> verdict.spelling().length())
            .max()
            .orElse(0);

    /** Whether nothing has failed. */
    boolean isGood() {
        return report.count(Verdict.FAILED) == 0;
    }

    /** Lines of text: a block for each server, a line for each finding, the remedy below it. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        report.server().forEach(target -> add(target.target(), target, lines));
        report.instances()
                .forEach(instance -> instance.targets()
                        .forEach(target -> add(instance.destination() + ": " + target.target(), target, lines)));
        lines.add("");
        lines.add(summary());
        return lines;
    }

    /** How often each verdict was given. */
    String summary() {
        return Arrays.stream(Verdict.values())
                .map(verdict -> report.count(verdict) + " " + verdict.spelling())
                .collect(Collectors.joining(", "));
    }

    private static void add(String title, TargetReport target, List<String> lines) {
        lines.add("");
        lines.add(title);
        int width = target.findings().stream()
                .mapToInt(finding -> finding.subject().length())
                .max()
                .orElse(0);
        for (Finding finding : target.findings()) {
            String start = "  %s  %s  "
                    .formatted(padded(finding.verdict().spelling(), VERDICT_WIDTH), padded(finding.subject(), width));
            lines.add(start + finding.evidence());
            if (!finding.remedy().isEmpty()) {
                lines.add(" ".repeat(start.length()) + "remedy: " + finding.remedy());
            }
        }
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** For JSON. */
    Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        for (Verdict verdict : Verdict.values()) {
            object.put(verdict.spelling(), report.count(verdict));
        }
        object.put("server", objects(report.server()));
        object.put(
                "instances",
                report.instances().stream()
                        .map(instance -> {
                            Map<String, Object> one = new LinkedHashMap<>();
                            one.put("destination", instance.destination());
                            one.put("targets", objects(instance.targets()));
                            return one;
                        })
                        .toList());
        return object;
    }

    private static List<Map<String, Object>> objects(List<TargetReport> targets) {
        return targets.stream()
                .map(target -> {
                    Map<String, Object> object = new LinkedHashMap<>();
                    object.put("target", target.target());
                    object.put(
                            "findings",
                            target.findings().stream()
                                    .map(ConnectOutput::object)
                                    .toList());
                    return object;
                })
                .toList();
    }

    private static Map<String, Object> object(Finding finding) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("subject", finding.subject());
        object.put("verdict", finding.verdict().spelling());
        object.put("evidence", finding.evidence());
        object.put("remedy", finding.remedy());
        return object;
    }
}
