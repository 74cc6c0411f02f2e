package io.sluice.schema.history.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.mysql.failure.SourceException;
import io.sluice.mysql.failure.SourceFailure;
import io.sluice.testkit.process.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a failure of the server of a schema history is. */
class MySqlDatabaseTest {
    @Test
    void aServerThatIsDownIsAFailureOfTheHistoryAndNotOfTheSource() throws IOException {
        int closed = FreePorts.next();
        HistoryLocation location = HistoryLocation.parse(
                "jdbc:mysql://127.0.0.1:%d/history?sslMode=DISABLED".formatted(closed), Path.of("/"));
        try (MySqlDatabase database = new MySqlDatabase((HistoryLocation.MySql) location, "history", "secret")) {
            SourceException failure = catchThrowableOfType(SourceException.class, () -> database.query("SELECT 1"));

            assertThat(failure.failure()).isEqualTo(SourceFailure.HISTORY_UNREACHABLE);
            assertThat(failure.remedy()).contains("canal.instance.tsdb.url");
            assertThat(failure).hasMessageContaining("the schema history at 127.0.0.1:%d/history", closed);
        }
    }

    @Test
    void namesTheSettingThatHelpsAndElseFewerTables() {
        assertThat(MySqlDatabase.remedyOfSize(1 << 20)).contains("max_allowed_packet = 3145728 ");
        assertThat(MySqlDatabase.remedyOfSize((1 << 30) - 1)).contains("max_allowed_packet = 1073741824 ");
        assertThat(MySqlDatabase.remedyOfSize(1 << 30))
                .doesNotContain("max_allowed_packet")
                .contains("canal.instance.filter.regex");
    }
}
