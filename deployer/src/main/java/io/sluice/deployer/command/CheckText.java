package io.sluice.deployer.command;

import io.sluice.protocol.text.PrintableText;
import io.sluice.server.check.InstanceReport;
import io.sluice.server.check.TableReport;
import io.sluice.server.config.text.Problem;
import io.sluice.server.config.text.Warning;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the outcome of a check as text.
 *
 * @param allColumns whether the columns that are delivered are named, too
 */
record CheckText(PrintStream out, boolean allColumns) implements CheckOutput {
    @Override
    public void badConfiguration(Path file, List<Problem> problems) {
        out.println(file + ": the configuration has " + counted(problems.size(), "problem") + ":");
        problems.forEach(problem -> out.println("  " + problem));
    }

    @Override
    public void configuration(Path file, List<Warning> warnings, CheckResult result) {
        boolean isPart = warnings.stream().anyMatch(Warning.OfAnotherInstance.class::isInstance);
        out.println(file + ": the configuration " + (isPart ? "of what was asked for " : "") + "can be used");
        warnings.forEach(warning -> out.println("  warning: " + warning));
        result.effective().ifPresent(effective -> effective.lines().forEach(out::println));
        result.connect().ifPresent(connect -> connect.lines().forEach(line -> out.println(PrintableText.line(line))));
        result.tables().forEach(this::instance);
    }

    private void instance(InstanceReport report) {
        out.println();
        report.obstacles().forEach(obstacle -> out.println(report.destination() + ": it does not start: " + obstacle));
        if (!report.isComplete()) {
            out.println(report.destination() + ": the source cannot be asked: " + report.failure());
            return;
        }
        List<TableReport> passed =
                report.tables().stream().filter(TableReport::delivered).toList();
        List<TableReport> stopped =
                report.tables().stream().filter(table -> !table.delivered()).toList();
        out.println("%s: %s at %s, %d of %s delivered"
                .formatted(
                        report.destination(),
                        report.server(),
                        report.address(),
                        passed.size(),
                        counted(report.tables().size(), "table")));
        tables("delivered", passed);
        tables("left out", stopped);
        report.switches().forEach(sentence -> out.println("  also left out: " + sentence));
        report.notes().forEach(note -> out.println("  note: " + note));
    }

    private void tables(String title, List<TableReport> tables) {
        if (tables.isEmpty()) {
            return;
        }
        List<String[]> rows = new ArrayList<>();
        for (TableReport table : tables) {
            rows.add(new String[] {table.name(), columns(table), table.reason()});
        }
        int nameWidth = Math.max(title.length(), width(rows, 0));
        int columnsWidth = width(rows, 1);
        out.println("  " + title);
        for (String[] row : rows) {
            String gap = columnsWidth == 0 ? "" : "  " + padded(row[1], columnsWidth);
            out.println("    " + padded(row[0], nameWidth) + gap + "  " + row[2]);
        }
    }

    private String columns(TableReport table) {
        if (!table.delivered()) {
            return "";
        }
        int all = table.columns().size() + table.leftOut().size();
        String named = allColumns ? ": " + String.join(", ", table.columns()) : "";
        return table.leftOut().isEmpty()
                ? "all " + counted(all, "column") + named
                : "%d of %s%s, without %s (%s)"
                        .formatted(
                                table.columns().size(),
                                counted(all, "column"),
                                named,
                                String.join(", ", table.leftOut()),
                                table.columnsReason());
    }

    private static int width(List<String[]> rows, int column) {
        return rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String counted(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
