package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.SchemaTexts;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InheritedCharsetTest {
    private static final SourceTraits MYSQL_5_7 = new SourceTraits(false, 50744, false);
    private static final SourceTraits MARIADB = new SourceTraits(true, 101118, false);
    private static final TableName T = new TableName("shop", "t");

    /** The tables and the defaults of the source as they are now, and the schemas whose defaults were others at the position of the stream. */
    private static final class Source implements TableDefinitions {
        private final Map<String, String> charsets = new HashMap<>();
        private final Map<TableName, String> tables = new HashMap<>();
        private final Set<String> changed = new HashSet<>();
        private int searches;
        private int asked;

        @Override
        public @Nullable String createStatement(TableName table) {
            return tables.get(table);
        }

        @Override
        public @Nullable String schemaCharset(String schema) {
            asked++;
            return charsets.get(schema);
        }

        @Override
        public boolean changesCharsetAfter(String schema, EventPosition event) {
            searches++;
            return changed.contains(schema);
        }
    }

    private final Source source = new Source();
    private final SchemaTracker tracker = tracker(MYSQL_5_7);

    private SchemaTracker tracker(SourceTraits traits) {
        SchemaTracker made = new SchemaTracker(source, traits);
        made.catalog().moveTo(new EventPosition("mysql-bin.000001", 4, 10, 1, 0, null));
        return made;
    }

    private static StatementSession session(@Nullable String server, @Nullable String schema) {
        return new StatementSession(BinlogSession.NO_ID, false, false, server, schema);
    }

    private static void apply(SchemaTracker tracker, String sql, String sessionSchema, StatementSession session)
            throws IOException {
        tracker.statements().apply(sql, sessionSchema, SqlMode.DEFAULT, session);
    }

    private void apply(String sql) throws IOException {
        tracker.statements().apply(sql, "shop");
    }

    private static String charsets(SchemaTracker tracker) throws IOException {
        TableSchema table = tracker.catalog().table(T);
        return table == null ? "none" : SchemaTexts.charsets(table);
    }

    @Test
    void aTableTakesTheDefaultOfItsOwnSchema() throws IOException {
        source.charsets.putAll(Map.of("shop", "cp1251", "other", "latin1"));

        apply(tracker, "CREATE TABLE shop.t (a TEXT)", "other", session("greek", "koi8r"));

        assertThat(charsets(tracker)).isEqualTo("a cp1251");
    }

    @Test
    void aSchemaTakesThatOfTheSession() throws IOException {
        source.charsets.put("shop", "latin1");
        apply(tracker, "CREATE DATABASE shop", "shop", session("cp1251", "koi8r"));
        apply("CREATE TABLE t (a TEXT)");
        apply(tracker, "ALTER DATABASE shop CHARACTER SET DEFAULT", "shop", session("greek", "koi8r"));
        apply(tracker, "ALTER DATABASE shop READ ONLY 0", "shop", session("hebrew", null));
        apply("ALTER TABLE t ADD b TEXT");
        assertThat(charsets(tracker)).isEqualTo("a cp1251, b cp1251");

        apply("ALTER TABLE t CHARACTER SET DEFAULT, ADD c TEXT");
        assertThat(charsets(tracker)).isEqualTo("a cp1251, b cp1251, c greek");

        apply(tracker, "ALTER DATABASE shop CHARACTER SET DEFAULT", "shop", session(null, null));
        apply("ALTER TABLE t CHARACTER SET DEFAULT, ADD d TEXT");
        assertThat(charsets(tracker)).isEqualTo("a cp1251, b cp1251, c greek, d latin1");
    }

    @Test
    void aConversionTakesThatOfTheSessionOnMySqlAndThatOfTheSchemaOnMariaDb() throws IOException {
        SchemaTracker mariaDb = tracker(MARIADB);
        for (SchemaTracker each : List.of(tracker, mariaDb)) {
            apply(each, "CREATE DATABASE shop CHARACTER SET cp1251", "", session(null, null));
            apply(each, "CREATE DATABASE other CHARACTER SET latin1", "", session(null, null));
            apply(each, "CREATE TABLE t (a TEXT) CHARACTER SET hebrew", "shop", session(null, null));
        }
        String conversion = "ALTER TABLE shop.t CONVERT TO CHARACTER SET DEFAULT";

        apply(mariaDb, conversion, "other", session("greek", "koi8r"));
        assertThat(charsets(mariaDb)).isEqualTo("a cp1251");
        apply(tracker, conversion, "other", session("greek", "koi8r"));
        assertThat(charsets(tracker)).isEqualTo("a koi8r");
        apply(tracker, conversion, "other", session("greek", null));
        assertThat(charsets(tracker)).isEqualTo("a latin1");
        apply(tracker, conversion, "", session("greek", null));
        assertThat(charsets(tracker)).isEqualTo("a greek");
    }

    /** Its table maps may state it, so that the table need not be asked for, which may not exist any more. */
    @Test
    void aTableKeepsTextInADefaultThatIsNotKnown() throws IOException {
        source.charsets.put("shop", "latin1");
        source.changed.add("shop");
        apply("CREATE TABLE t (a TEXT, b ENUM('x'), c CHAR(3) CHARACTER SET koi8r)");
        SchemaState state = tracker.catalog().state();

        SchemaTracker restored = tracker(MYSQL_5_7);
        restored.catalog().restore(state);
        for (SchemaTracker each : List.of(tracker, restored)) {
            assertThat(SchemaTexts.text(each.catalog().table(T))).isEqualTo("a TEXT, b ENUM('x'), c CHAR(3)");
            assertThat(unknown(each)).containsExactly("a");
            each.statements().apply("ALTER TABLE t ADD d TEXT", "shop");
            assertThat(unknown(each)).containsExactly("a", "d");
            each.statements().apply("ALTER TABLE t MODIFY d TEXT CHARACTER SET greek", "shop");
            assertThat(unknown(each)).containsExactly("a");
            assertThat(each.counts().doubtfulStatements()).isZero();
            each.statements().apply("ALTER TABLE t CONVERT TO CHARACTER SET greek", "shop");
            assertThat(charsets(each)).isEqualTo("none");
        }
    }

    @Test
    void aDefaultThatIsNotKnownIsKnownAfterTheNextStatementThatSetsIt() throws IOException {
        source.charsets.put("shop", "latin1");
        source.changed.add("shop");
        apply("CREATE TABLE t (a TEXT)");
        apply("CREATE TABLE u (a TEXT)");
        assertThat(source.searches).isEqualTo(1);

        apply("ALTER DATABASE shop CHARACTER SET greek");
        apply("CREATE OR REPLACE TABLE t (a TEXT)");
        assertThat(charsets(tracker)).isEqualTo("a greek");
    }

    private static List<String> unknown(SchemaTracker tracker) throws IOException {
        TableSchema table = tracker.catalog().table(T);
        return table.columns().stream()
                .filter(ColumnSchema::isCharsetUnknown)
                .map(ColumnSchema::name)
                .toList();
    }

    @Test
    void asksForATableThatIsConvertedToADefaultThatIsNotKnown() throws IOException {
        source.charsets.put("shop", "latin1");
        source.changed.add("shop");
        apply("CREATE TABLE t (a TEXT) CHARACTER SET koi8r");
        apply("ALTER TABLE t CONVERT TO CHARACTER SET DEFAULT");

        assertThat(charsets(tracker)).isEqualTo("none");
    }

    @Test
    void searchesOnlyWhereTableMapsDoNotStateCharacterSets() throws IOException {
        source.charsets.put("shop", "latin1");
        source.changed.add("shop");
        SchemaTracker stating = tracker(SourceTraits.DEFAULT);
        stating.statements().apply("CREATE TABLE t (a TEXT)", "shop");

        assertThat(charsets(stating)).isEqualTo("a latin1");
        assertThat(source.searches).isZero();
    }

    @Test
    void searchesOnceForASchemaWhoseDefaultIsTold() throws IOException {
        source.charsets.put("shop", "latin1");
        apply("CREATE TABLE t (a TEXT)");
        apply("CREATE TABLE u (a TEXT)");
        assertThat(source.searches).isEqualTo(1);
    }

    /** Records of versions that did not have it: what the source has now is not what it had when the stream was there. */
    @Test
    void whatIsTakenForARecordWithoutItIsNotTakenForTheStream() throws IOException {
        source.charsets.put("shop", "latin1");
        source.changed.add("shop");
        tracker.statements().replay("CREATE TABLE t (a TEXT)", "shop", SqlMode.DEFAULT);
        assertThat(charsets(tracker)).isEqualTo("a latin1");

        apply("DROP TABLE t");
        apply("CREATE TABLE t (a TEXT)");
        assertThat(unknown(tracker)).containsExactly("a");
    }

    /** It was dropped, or the account may not see it: then the filter excludes its tables, as a rule. */
    @Test
    void doesNotSearchForTheDefaultOfASchemaThatTheSourceDoesNotShow() throws IOException {
        apply("CREATE TABLE t (a TEXT)");
        apply("CREATE TABLE u (a INT)");
        apply("CREATE TABLE v (a TEXT)");

        assertThat(source.searches).isZero();
        assertThat(source.asked).isEqualTo(1);
        assertThat(unknown(tracker)).containsExactly("a");
    }

    /** It was made for a while, and the source does not show it any more. */
    @Test
    void aSchemaThatIsMadeIfItIsNotThereHasTheSetOfTheStatement() throws IOException {
        apply("CREATE DATABASE IF NOT EXISTS shop CHARACTER SET latin1");
        apply("CREATE TABLE t (a TEXT)");
        assertThat(charsets(tracker)).isEqualTo("a latin1");

        apply("DROP DATABASE shop");
        source.charsets.put("shop", "greek"); // that of a later one
        apply("CREATE DATABASE IF NOT EXISTS shop CHARACTER SET cp1251");
        apply("CREATE TABLE t (a TEXT)");
        assertThat(charsets(tracker)).isEqualTo("a cp1251");
    }

    @Test
    void whatASchemaHasThatTheSourceDoesNotShowIsLeftOpenWhereTableMapsStateIt() throws IOException {
        SchemaTracker stating = tracker(SourceTraits.DEFAULT);
        stating.statements().apply("CREATE TABLE t (a TEXT)", "shop");

        assertThat(unknown(stating)).isEmpty();
        assertThat(stating.catalog().table(T).columns().get(0).charset()).isNull();
    }

    /** As MySQL 9.7 and MariaDB 11.8 take them: {@code CHARSET} and {@code ENCRYPTION} are names there. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "CHAR SET cp1251 | shop | shop",
                "CHAR SET = cp1251 COLLATE = cp1251_bin | shop | shop",
                "CHARACTER SET cp1251 | shop | shop",
                "COMMENT 'x' CHARACTER SET cp1251 | shop | COMMENT",
                "COMMENT = 'x' CHAR SET cp1251 | shop | COMMENT",
                "COMMENT CHARACTER SET cp1251 | COMMENT | COMMENT",
                "COMMENT COMMENT 'x' CHARACTER SET cp1251 | COMMENT | COMMENT",
                "CHARSET CHARACTER SET cp1251 | CHARSET | CHARSET",
                "ENCRYPTION CHARACTER SET cp1251 | ENCRYPTION | ENCRYPTION",
                "READ ONLY 0 CHARACTER SET cp1251 | READ | shop",
                "`CHAR` CHARACTER SET cp1251 | CHAR | CHAR",
            })
    void anAlterDatabaseWithoutANameIsOfTheSessionsSchema(String text, String ofMariaDb, String ofMySql) {
        SchemaTracker mariaDb = new SchemaTracker(table -> null, new SourceTraits(true, 110800, false));
        SchemaTracker mySql = new SchemaTracker(table -> null, new SourceTraits(false, 90700, false));

        assertThat(mariaDb.statements().reader().changedDefaults("ALTER DATABASE " + text, "shop", SqlMode.DEFAULT))
                .containsExactly(ofMariaDb);
        assertThat(mySql.statements().reader().changedDefaults("ALTER SCHEMA " + text, "shop", SqlMode.DEFAULT))
                .containsExactly(ofMySql);
    }

    @Test
    void statementsThatChangeADefault() {
        assertThat(changed("CREATE DATABASE a")).containsExactly("a");
        assertThat(changed("CREATE DATABASE IF NOT EXISTS a CHARACTER SET latin1"))
                .isEmpty();
        assertThat(changed("CREATE OR REPLACE DATABASE a")).containsExactly("a");
        assertThat(changed("DROP DATABASE IF EXISTS a")).containsExactly("a");
        assertThat(changed("ALTER SCHEMA a COLLATE latin1_bin")).containsExactly("a");
        assertThat(changed("ALTER SCHEMA a CHARACTER SET = DEFAULT")).containsExactly("a");
        assertThat(changed("ALTER DATABASE CHARACTER SET DEFAULT COLLATE latin1_bin"))
                .containsExactly("shop");
        assertThat(changed("ALTER DATABASE a COMMENT 'b'")).isEmpty();
        assertThat(changed("CREATE TABLE t (a TEXT)")).isEmpty();
    }

    private List<String> changed(String sql) {
        return tracker.statements().reader().changedDefaults(sql, "shop", SqlMode.DEFAULT);
    }
}
