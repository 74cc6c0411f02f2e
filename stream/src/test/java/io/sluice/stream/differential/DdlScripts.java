package io.sluice.stream.differential;

import io.sluice.testkit.mysql.MySqlServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * Scripts of DDL that is easily misread, in {@code scripts.txt}: what is delivered of their tables is compared with what the server reports.
 *
 * <p>A script begins with {@code === title @releases}, without releases if it is for all. Each line is a statement, of the session that the last word in
 * brackets names, at first UTF-8; a line that begins with {@code +} is in the same step as the former. U+237D is a no-break space, U+23CE a line break.
 */
public final class DdlScripts {
    /** @param releases parts of the names of those that can execute it; empty for all */
    private record Script(String title, List<String> releases, List<Step> steps) {
        boolean isFor(MySqlServer server) {
            return releases.isEmpty()
                    || releases.stream().anyMatch(server.release().name()::contains);
        }
    }

    private DdlScripts() {}

    /**
     * Fails if a step of one is delivered otherwise than the server reports it, or a schema does not follow from DDL alone, or the server does not accept a
     * statement.
     *
     * @param folder for schema histories
     */
    public static void requireNoDifference(MySqlServer server, Path folder) throws Exception {
        StringBuilder failures = new StringBuilder();
        for (Script script : scripts()) {
            if (script.isFor(server)) {
                Report report = new DifferentialRun(server, folder, EnumSet.allOf(ReadingMode.class), true)
                        .replay(script.steps());
                if (!report.isClean()) {
                    failures.append("\n%s, %s: %s".formatted(script.title(), server.release(), report.findings()));
                }
                if (!report.script().equals(script.steps())) {
                    failures.append("\n%s, %s: only accepted:\n%s"
                            .formatted(script.title(), server.release(), Step.text(report.script())));
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new AssertionError(failures.toString());
        }
    }

    private static List<Script> scripts() throws IOException {
        try (InputStream in = Objects.requireNonNull(DdlScripts.class.getResourceAsStream("scripts.txt"))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(text.split("(?m)^=== "))
                    .filter(part -> !part.isBlank())
                    .map(DdlScripts::script)
                    .toList();
        }
    }

    private static Script script(String text) {
        String[] lines = text.strip().split("\n");
        String[] title = lines[0].split(" @");
        List<String> releases = title.length == 1 ? List.of() : List.of(title[1].split(","));
        List<Step> steps = new ArrayList<>();
        Client client = Client.UTF8;
        for (String line : Arrays.asList(lines).subList(1, lines.length)) {
            String sql = line.replace('\u237d', '\u00a0').replace('\u23ce', '\n');
            if (sql.startsWith("[")) {
                int end = sql.indexOf("] ");
                client = Client.valueOf(sql.substring(1, end).toUpperCase(Locale.ROOT));
                sql = sql.substring(end + 2);
            }
            if (sql.startsWith("+")) {
                List<String> statements =
                        new ArrayList<>(steps.remove(steps.size() - 1).statements());
                statements.add(sql.substring(1));
                steps.add(new Step(client, statements));
            } else {
                steps.add(new Step(client, List.of(sql)));
            }
        }
        return new Script(title[0], releases, steps);
    }
}
