package io.sluice.schema.canal;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.entry.EventType;
import io.sluice.schema.ddl.SchemaTracker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the type, schema and table of DDL with those that canal's own SQL parser leads to, recorded for some 11 000 texts. */
class CanalParserVerdictsTest {
    private static final String REJECTED = "REJECTED";
    private static final String NOTHING = "NOTHING";
    private static final String QUERY = "QUERY";

    /** What {@code docs/compatibility.md} describes: the texts, what canal makes of them, and what is made of them here. */
    private static final List<Difference> DIFFERENCES = List.of(
            // canal's parser rejects the text, whose table is known here
            typed(".* CHECK \\(a > 0\\)( /\\*!80016)?( NOT)? ENFORCED.*"),
            typed(".* ALTER CONSTRAINT c ENFORCED"),
            typed(".* CHECK \\(a > 0\\) NOT NULL( .*)?"),
            typed(".* /\\*!80\\d\\d\\d INVISIBLE \\*/.*"),
            typed(".* ALTER COLUMN c SET (IN)?VISIBLE"),
            typed(".* REFERENCES x(?! \\().*"),
            typed(".* PERSISTENT\\b.*"),
            typed(".*\\b(of|columnar)\\b.*"),
            typed(".* (DROP|CONSTRAINT) (any|begin|close|comment|end|except|function|intersect|open|over|role|row"
                    + "|sequence|some|tablespace|until|user|view)( FOREIGN KEY .*)?"),
            typed(".* ADD CONSTRAINT c PRIMARY KEY p \\(a\\)"),
            typed(".*, INDEX DIRECTORY='/x'.*"),
            typed(".* (CHARSET|CHARACTER SET)( | ?= ?)binary COMMENT='z'"),
            typed(".* START TRANSACTION COMMENT='z'"),
            typed(".* ENGINE=InnoDB COLLATE=(DEFAULT|binary)"),
            // the same, of MariaDB alone
            typed(".* (PAGE_CHECKSUM|TRANSACTIONAL)=1.*"),
            typed("ALTER TABLE (IF EXISTS t ADD a INT|t DROP COLUMN IF EXISTS a)"),
            // the name of a schema is known here
            new Difference("CREATE DATABASE /\\*!32312 IF NOT EXISTS\\*/ d.*", REJECTED, QUERY),
            // canal's parser does not look into executable comments
            new Difference(
                    "ALTER TABLE t ADD .*, (START TRANSACTION|/\\*!\\d+ .*\\*/)",
                    "(NOTHING|CINDEX s\\.t)",
                    "ALTER s\\.t"),
            new Difference("ALTER (DATABASE|SCHEMA) .*/\\*!\\d+ .*\\*/", NOTHING, REJECTED),
            new Difference("ALTER DATABASE /\\*!\\d+ .*\\*/", REJECTED, NOTHING),
            // no server accepts the equals sign there
            new Difference(".* VARCHAR\\(5\\) .* COLLATE = utf8mb4_bin", "ALTER s\\.t", REJECTED));

    private final SchemaTracker tracker = new SchemaTracker(name -> null);

    @Test
    void agreesWithCanalsParserButForListedDifferences() throws Exception {
        Map<Difference, Integer> met = new LinkedHashMap<>();
        List<String> others = new ArrayList<>();
        List<Case> cases = recorded();
        for (Case recorded : cases) {
            String ours = verdict(recorded.sql());
            if (ours.equals(recorded.verdict())) {
                continue;
            }
            DIFFERENCES.stream()
                    .filter(difference -> difference.explains(recorded, ours))
                    .findFirst()
                    .ifPresentOrElse(
                            difference -> met.merge(difference, 1, Integer::sum),
                            () -> others.add(recorded + ", here " + ours));
        }

        assertThat(cases).hasSizeGreaterThan(11_000);
        assertThat(others).as("differences that are not listed").isEmpty();
        assertThat(met.keySet()).as("listed differences").containsExactlyInAnyOrderElementsOf(DIFFERENCES);
    }

    private String verdict(String sql) {
        List<StatementChange> changes = tracker.statements().reader().classify(sql, "s");
        if (changes.isEmpty()) {
            return NOTHING;
        }
        StatementChange first = changes.get(0);
        if (first.type() == EventType.QUERY) {
            return first.schema() == null ? REJECTED : QUERY;
        }
        return "%s %s.%s".formatted(first.type(), first.schema(), first.table());
    }

    private static List<Case> recorded() throws IOException {
        List<Case> cases = new ArrayList<>();
        String family = "";
        for (String line : resource().lines().toList()) {
            int colon = line.indexOf(": ");
            String before = line.substring(0, Math.max(colon, 0));
            if (before.equals("family")) {
                family = line.substring(colon + 2);
            } else if (!line.startsWith("#")) {
                for (String gap : line.substring(colon + 2).split(" \\| ", -1)) {
                    cases.add(new Case(family.replace("%s", gap), before.replace("%s", gap)));
                }
            }
        }
        return cases;
    }

    private static String resource() throws IOException {
        try (InputStream in = CanalParserVerdictsTest.class.getResourceAsStream("canal-parser-verdicts.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Difference typed(String sql) {
        return new Difference(sql, REJECTED, "(NOTHING|[A-Z]+ s\\..*)");
    }

    private record Case(String sql, String verdict) {}

    /** Expressions of texts and of both verdicts. */
    private record Difference(String sql, String canal, String ours) {
        boolean explains(Case recorded, String verdict) {
            return Pattern.matches(sql, recorded.sql())
                    && Pattern.matches(canal, recorded.verdict())
                    && Pattern.matches(ours, verdict);
        }
    }
}
