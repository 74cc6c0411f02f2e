package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.mysql.type.TypeFamily;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sequences of random changes that a real server took lead to the columns that it had. */
class RecordedAltersTest {
    private static final String EXPECTED = "--> ";

    @Test
    void keepsTheColumnsThatTheServerHas() throws IOException {
        SchemaTracker tracker = new SchemaTracker(table -> null);
        String statement = "";
        int compared = 0;
        for (String line : resource().split("\n")) {
            if (line.startsWith(EXPECTED)) {
                TableSchema table = tracker.catalog().table(new TableName("shop", "m"));
                assertThat(table).as(statement).isNotNull();
                assertThat(text(table)).as(statement).isEqualTo(line.substring(EXPECTED.length()));
                assertReadsBack(tracker, table);
                compared++;
            } else if (!line.startsWith("--")) {
                statement = line;
                tracker.statements().apply(line, "shop");
            }
        }
        assertThat(compared).isGreaterThan(300);
    }

    private static void assertReadsBack(SchemaTracker tracker, TableSchema table) throws IOException {
        SchemaTracker other = new SchemaTracker(any -> null);
        other.catalog().restore(tracker.catalog().state());
        assertThat(other.catalog().table(table.name())).isEqualTo(table);
    }

    private static String text(TableSchema table) {
        return table.columns().stream()
                .map(column -> column.name() + (column.primaryKey() ? "* " : " ") + kind(column) + ",")
                .collect(Collectors.joining(" "));
    }

    private static String kind(ColumnSchema column) {
        boolean binary = "binary".equals(column.charset());
        TypeFamily family = switch (column.family()) {
            case CHAR -> binary ? TypeFamily.BINARY : TypeFamily.CHAR;
            case TEXT -> binary ? TypeFamily.BLOB : TypeFamily.TEXT;
            default -> column.family();
        };
        boolean hasCharset = column.isText() && family != TypeFamily.JSON;
        return family + (column.unsigned() ? " u" : "") + (hasCharset ? " " + column.charset() : "");
    }

    private static String resource() throws IOException {
        try (InputStream in = RecordedAltersTest.class.getResourceAsStream("alters.sql")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
