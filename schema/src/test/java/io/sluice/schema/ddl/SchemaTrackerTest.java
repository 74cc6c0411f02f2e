package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.sluice.mysql.wire.error.ServerErrors;
import io.sluice.schema.ddl.catalog.BinlogSession;
import io.sluice.schema.ddl.catalog.EventPosition;
import io.sluice.schema.ddl.catalog.SchemaRecorder;
import io.sluice.schema.ddl.catalog.SchemaState;
import io.sluice.schema.ddl.catalog.TableDefinitions;
import io.sluice.schema.ddl.catalog.TemporaryUse;
import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.sql.SqlMode;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.SchemaTexts;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import io.sluice.schema.table.Versioning;
import io.sluice.testkit.log.LogLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaTrackerTest {
    private static final TableName T = new TableName("shop", "t");
    private static final SourceTraits MARIADB = new SourceTraits(true, 110800, false);
    private static final TableName U = new TableName("shop", "u");

    /** Tables on a source, and which of them were asked for. */
    private static final class Source implements TableDefinitions {
        private final Map<TableName, String> tables = new HashMap<>();
        private final List<TableName> asked = new ArrayList<>();
        private boolean down;
        private @Nullable IOException refusal;
        private boolean isChangedLater;
        private boolean isSequence;
        private int searches;

        @Override
        public @Nullable String createStatement(TableName table) throws IOException {
            if (down) {
                throw new IOException("down");
            }
            asked.add(table);
            if (refusal != null) {
                throw refusal;
            }
            return tables.get(table);
        }

        @Override
        public @Nullable List<String> addedAfter(TableName table, EventPosition event) {
            return isChangedLater ? null : List.of();
        }

        @Override
        public boolean wasSequence(TableName name, EventPosition event, boolean isGone) {
            searches++;
            return isSequence;
        }

        @Override
        public String schemaCharset(String schema) {
            return "koi8r";
        }
    }

    private final Source source = new Source();
    private final SchemaTracker tracker = new SchemaTracker(source);

    @Test
    void asksTheSourceOnceForATableItDoesNotKnow() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` int NOT NULL, PRIMARY KEY (`a`)) ENGINE=InnoDB");

        TableSchema table = tracker.catalog().table(T);

        assertThat(SchemaTexts.text(table)).isEqualTo("a* int");
        assertThat(tracker.catalog().table(T)).isSameAs(table);
        assertThat(source.asked).containsExactly(T);
    }

    @Test
    void aTableWithoutTextHasItsSchemasCharacterSetForColumnsToCome() throws IOException {
        tracker.statements().apply("CREATE DATABASE shop DEFAULT CHARSET gbk", "");
        tracker.statements().apply("CREATE TABLE t (a int)", "shop");
        tracker.statements().apply("CREATE TABLE u LIKE t", "shop");
        tracker.statements().apply("ALTER TABLE u ADD b tinytext", "shop");
        assertThat(tracker.catalog().table(U).columns().get(1).charset()).isEqualTo("gbk");

        tracker.statements().apply("ALTER TABLE u CONVERT TO CHARACTER SET utf8mb4", "shop");
        assertThat(tracker.catalog().table(U).columns().get(1).mysqlType()).isEqualTo("text");
    }

    @Test
    void reportsNothingOfATableThatTheSourceDoesNotHave() throws IOException {
        assertThat(tracker.catalog().table(T)).isNull();
    }

    @Test
    void propagatesAFailureToQueryTheSource() {
        source.down = true;

        assertThatThrownBy(() -> tracker.catalog().table(T)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> tracker.statements().apply("CREATE TABLE u LIKE t", "shop"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void returnsTheSameSchemaUntilADdlChangesIt() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        TableSchema before = tracker.catalog().table(T);

        tracker.statements().apply("ALTER TABLE u ADD b INT", "shop");
        tracker.statements().apply("TRUNCATE TABLE t", "shop");
        assertThat(tracker.catalog().table(T)).isSameAs(before);

        tracker.statements().apply("ALTER TABLE t ADD b INT", "shop");
        assertThat(SchemaTexts.text(before)).isEqualTo("a INT");
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT, b INT");
    }

    @Test
    void ifNotExistsDoesNotChangeAnExistingTable() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (b INT, c INT)", "shop");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t LIKE u", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT");
    }

    @Test
    void takesTheSourcesColumnsIfATableMayHaveBeenThere() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`old` int)");
        source.tables.put(U, "CREATE TABLE `u` (`a` int)");

        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a INT, b INT)", "shop");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS u (a INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("old int");
        assertThat(SchemaTexts.text(tracker.catalog().table(U))).isEqualTo("a INT");
    }

    /** The statement that follows is of the table that was there. */
    @Test
    void takesTheSourcesColumnsIfATableMayHaveBeenThereAndWasAlteredSince() throws IOException {
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a INT, b INT)", "shop");
        source.tables.put(T, "CREATE TABLE `t` (`old` int, `c` int)");

        tracker.statements().apply("ALTER TABLE t ADD c INT", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("old int, c int");
    }

    /** It exists, so that the statement does nothing. */
    @Test
    void doesNotTakeTheStatedColumnsOfATableThatItHasForgotten() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        source.tables.clear();
        tracker.statements().apply("ALTER TABLE t DROP COLUMN missing", "shop");
        assertThat(tracker.catalog().tables().knows(T)).isFalse();

        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (b INT)", "shop");
        assertThat(tracker.catalog().tables().knows(T)).isFalse();

        tracker.statements().apply("DROP TABLE t", "shop");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (b INT)", "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("b INT");
    }

    /** A value in the binlog is the number of a member. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ENUM('a','b')                | enum('b','a')
            SET('a','b')                 | set('b','a')
            INT                          | int unsigned
            VARCHAR(9) CHARSET latin1    | varchar(9) CHARACTER SET utf8mb4
            """)
    void takesTheSourcesColumnsIfATableMayHaveBeenThereWhoseValuesMeanSomethingElse(String stated, String present)
            throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` %s)".formatted(present));
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a %s)".formatted(stated), "shop");

        assertThat(tracker.catalog().table(T).columns().get(0).mysqlType())
                .isEqualTo(present.replaceAll(" CHARACTER SET.*", ""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ENUM('a', 'it''s')             | enum('a','it''s')
            INTEGER UNSIGNED               | int unsigned
            VARCHAR(9) CHARSET utf8        | varchar(9) CHARACTER SET utf8mb3
            NUMERIC(9,2) ZEROFILL          | decimal(9,2) unsigned zerofill
            """)
    void keepsTheSpellingOfATableThatMayHaveBeenThereIfValuesMeanTheSame(String stated, String present)
            throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` %s)".formatted(present));
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a %s)".formatted(stated), "shop");

        assertThat(tracker.catalog().table(T).columns().get(0).mysqlType()).isNotEqualTo(present);
    }

    @Test
    void aTableOfASchemaThatTheStreamCreatedDidNotExistBefore() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`later` int)");
        tracker.statements().apply("CREATE DATABASE shop", "");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT");
        assertThat(source.asked).isEmpty();
    }

    /** The source may have changed the table since, and it may not be possible to find that out. */
    @Test
    void aTableThatTheStreamDroppedDidNotExistBefore() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`later` int)");
        tracker.statements().apply("DROP TABLE IF EXISTS t", "shop");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT");
        assertThat(source.asked).isEmpty();
    }

    /** As after a change to another server, where reading continues at an earlier position. */
    @Test
    void aTableThatWasDroppedAfterThePositionThatIsRestoredMayHaveBeenThere() throws IOException {
        SchemaState before = tracker.catalog().state();
        source.tables.put(T, "CREATE TABLE `t` (`old` int)");
        tracker.statements().apply("DROP TABLE t", "shop");

        tracker.catalog().restore(before);
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a INT, b INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("old int");
    }

    /** The table whose columns were not known went with its schema. */
    @Test
    void aTableThatIsMadeInASchemaThatIsMadeAgainHasTheStatedColumns() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        tracker.statements().apply("ALTER TABLE t DROP COLUMN missing", "shop");
        tracker.statements().apply("DROP DATABASE shop", "");
        tracker.statements().apply("CREATE DATABASE shop", "");

        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (b INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("b INT");
    }

    /** One that has failed, since another table refers to one of them, is in the binlog, too. */
    @Test
    void ofSeveralTablesThatAStatementDropsSomeMayBeThereStill() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`old` int)");
        tracker.statements().apply("DROP TABLE t, u", "shop");
        tracker.statements().apply("CREATE TABLE IF NOT EXISTS t (a INT, b INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("old int");
    }

    @Test
    void spellsTypesAsTheSourceIfCanalCannotReadTheText() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` varchar(8) DEFAULT NULL)");

        tracker.statements().apply("CREATE TABLE t (a CHAR VARYING(8))", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a varchar(8)");
    }

    @Test
    void usesTheColumnsOfTheStreamIfTheSourceIsAhead() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` varchar(8), `later` int)");

        tracker.statements().apply("CREATE TABLE t (a CHAR VARYING(8))", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a CHAR VARYING(8)");
    }

    @Test
    void asksTheSourceForATableMadeOfAQuery() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` int)");

        tracker.statements().apply("CREATE TABLE t (k INT PRIMARY KEY) AS SELECT a FROM u", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a int");
    }

    @Test
    void aTableThatCouldNotBeAskedForIsAskedForAtTheNextStatement() throws IOException {
        source.tables.put(T, "CREATE TABLE `t` (`a` int)");
        try (LogLines log = LogLines.of(SuspectTables.class)) {
            source.down = true;
            tracker.statements().apply("CREATE TABLE t (k INT PRIMARY KEY) AS SELECT a FROM u", "shop");
            tracker.statements().apply("CREATE TABLE v (a int)", "shop");

            assertThat(log.warnings())
                    .filteredOn(line -> line.contains("cannot be read from the source"))
                    .singleElement(STRING)
                    .contains("table=shop.t", "cause=down");
        }
        source.down = false;

        tracker.statements().apply("CREATE TABLE w (a int)", "shop");
        source.tables.put(T, "CREATE TABLE `t` (`later` int)");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a int");
        assertThat(source.asked).containsExactly(T);
    }

    /** Of a known form that cannot be read, and of none; the reason quotes the text too. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE t (a int DEFAULT 'S3cret' COMMENT \"S3cret\", 'S3cret' int) -- S3cret",
                "CREATE TABLE t (a int) CONNECTION='mysql://app:S3cret@db/x' AS SELECT 'S3cret' FROM u",
                "ALTER TABLE t ADD 'S3cret' int",
                "ALTER FANCY TABLE shop.t MAKE IT 'S3cret' /* S3cret */",
                "CREATE TABLE t (a enum('x',0x533363726574 0x533363726574))",
            })
    void literalsOfADdlAreNotLogged(String sql) throws IOException {
        tracker.statements().apply("CREATE TABLE t (b int)", "shop");
        assertThat(logOf(sql))
                .anySatisfy(line -> assertThat(line).contains("sql=" + sql.substring(0, 7)))
                .noneSatisfy(line -> assertThat(line).containsAnyOf("S3cret", "533363726574"));
    }

    private List<String> logOf(String sql) throws IOException {
        try (LogLines log = LogLines.of(SchemaTracker.class.getPackageName())) {
            tracker.statements().apply(sql, "shop");
            return log.texts();
        }
    }

    @Test
    void aVeryLongDdlIsLoggedAsItsFirstWordsAndItsLength() throws IOException {
        tracker.statements().apply("CREATE TABLE t (b int)", "shop");
        String sql = "ALTER FANCY TABLE shop.t MAKE IT " + "longer ".repeat(100_000);
        assertThat(logOf(sql)).anySatisfy(line -> assertThat(line).endsWith("sql=ALTER FANCY *** (700033 characters)"));
    }

    @Test
    void aTableThatCouldNotBeAskedForIsAskedForByItsNewName() throws IOException {
        source.tables.put(U, "CREATE TABLE `u` (`a` int)");
        source.down = true;
        tracker.statements().apply("CREATE TABLE t AS SELECT a FROM v", "shop");
        tracker.statements().apply("CREATE TABLE w AS SELECT a FROM v", "shop");
        tracker.statements().apply("DROP TABLE w", "shop");
        source.down = false;

        tracker.statements().apply("RENAME TABLE t TO u", "shop");

        assertThat(source.asked).containsExactly(U);
    }

    /** Each DDL of the server would ask for all of them. */
    @Test
    void aTableThatTheSourceRefusesToShowIsAskedForAgainOnlyAtItsRows() throws IOException {
        source.refusal = ServerErrors.of(1142);
        tracker.statements().apply("RENAME TABLE other.a TO other.b", "shop");
        tracker.statements().apply("CREATE TABLE v (a int)", "shop");
        assertThat(source.asked).containsExactly(new TableName("other", "b"));

        source.refusal = null;
        source.tables.put(new TableName("other", "b"), "CREATE TABLE `b` (`a` int)");
        assertThat(SchemaTexts.text(tracker.catalog().table(new TableName("other", "b"))))
                .isEqualTo("a int");
    }

    @Test
    void aTableIsAskedForAtTheNextDdlIfTheSourceEndsTheConnection() throws IOException {
        source.refusal = ServerErrors.of(1053);
        tracker.statements().apply("RENAME TABLE w TO t, x TO u", "shop");
        assertThat(source.asked).containsExactly(T);

        source.refusal = null;
        tracker.statements().apply("CREATE TABLE v (a int)", "shop");
        assertThat(source.asked).containsExactlyInAnyOrder(T, T, U);
    }

    @Test
    void copiesTheOriginalOfLike() throws IOException {
        source.tables.put(U, "CREATE TABLE `u` (`a` int)");
        tracker.statements().apply("CREATE TABLE t LIKE u", "shop");
        tracker.statements().apply("ALTER TABLE t ADD b INT", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a int, b INT");
        assertThat(SchemaTexts.text(tracker.catalog().table(U))).isEqualTo("a int");
    }

    @Test
    void swapsNames() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT); CREATE TABLE u (b INT)", "shop");
        tracker.statements().apply("RENAME TABLE t TO x, u TO t, x TO u", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("b INT");
        assertThat(SchemaTexts.text(tracker.catalog().table(U))).isEqualTo("a INT");
        assertThat(tracker.catalog().tables().schemas()).hasSize(2);
    }

    @Test
    void forgetsDroppedTablesAndSchemas() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT); CREATE TABLE u (b INT); CREATE TABLE v (c INT)", "shop");
        tracker.statements().apply("DROP TABLE t, u", "shop");
        assertThat(tracker.catalog().tables().schemas()).hasSize(1);

        tracker.statements().apply("DROP DATABASE `shop`", "");
        assertThat(tracker.catalog().tables().schemas()).isEmpty();
    }

    @Test
    void dropsThePrimaryKeyByItsIndex() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT PRIMARY KEY)", "shop");
        tracker.statements().apply("DROP INDEX `PRIMARY` ON t", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT");
    }

    @Test
    void doesNotMistakeATemporaryTableForOneWithRows() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        tracker.statements().apply("CREATE TEMPORARY TABLE t (b INT)", "shop");
        tracker.statements().apply("DROP TEMPORARY TABLE t", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT");
    }

    @Test
    void runsExecutableCommentsThatTheServerRuns() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT /*!99999 UNSIGNED */ /*!80016 , b INT */)", "shop");
        tracker.statements().apply("/*!40000 ALTER TABLE t ADD c INT */", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT, b INT, c INT");
    }

    @Test
    void classifiesWithoutApplying() throws IOException {
        tracker.statements().reader().classify("CREATE TABLE t (a INT)", "shop");

        assertThat(tracker.catalog().table(T)).isNull();
    }

    @Test
    void tellsWhichStatementsChangeTheColumnsOfATable() {
        assertThat(effects("ALTER TABLE t ADD c INT FIRST, ADD (d INT, e INT), ADD INDEX (a), ENGINE=InnoDB"))
                .containsExactly(TableEffect.added(T, List.of("c", "d", "e")));
        assertThat(effects("ALTER TABLE t ADD (c INT, d INT, PRIMARY KEY (d))"))
                .containsExactly(TableEffect.added(T, List.of("c", "d")));
        assertThat(effects("ALTER TABLE t ADD (c INT, PRIMARY KEY (c, a))")).containsExactly(TableEffect.change(T));
        assertThat(effects("ALTER TABLE t ADD c INT, ADD PERIOD FOR p (a, b), ADD PRIMARY KEY (c, p WITHOUT OVERLAPS)"))
                .as("the columns of the period are in the key, too")
                .containsExactly(TableEffect.change(T));
        assertThat(effects("ALTER TABLE t ALTER a SET INVISIBLE")).isEmpty();
        assertThat(effects("ALTER TABLE t ADD c INT, MODIFY a INT")).containsExactly(TableEffect.change(T));
        assertThat(effects("ALTER TABLE t ADD c INT, DEFAULT CHARSET latin1")).containsExactly(TableEffect.change(T));
        assertThat(effects("ALTER TABLE t ADD IF NOT EXISTS c INT")).containsExactly(TableEffect.change(T));
        assertThat(effects("ALTER TABLE t ADD INDEX (a)")).isEmpty();
        assertThat(effects("CREATE INDEX i ON t (a)")).isEmpty();
        assertThat(effects("CREATE TABLE t (a INT)")).containsExactly(TableEffect.made(T, true, true));
        assertThat(effects("CREATE TABLE t AS SELECT * FROM u")).containsExactly(TableEffect.made(T, true, false));
        assertThat(effects("CREATE TABLE t (a INT) COMMENT 'x' TABLE u"))
                .containsExactly(TableEffect.made(T, true, false));
        assertThat(effects("CREATE TABLE t IGNORE (TABLE u)")).containsExactly(TableEffect.made(T, true, false));
        assertThat(effects("CREATE OR REPLACE TABLE t (a INT)")).containsExactly(TableEffect.made(T, false, true));
        assertThat(effects("CREATE TABLE t LIKE u")).containsExactly(TableEffect.copy(T, true, U));
        assertThat(effects("CREATE TEMPORARY TABLE t (a INT)")).isEmpty();
        assertThat(effects("CREATE TABLE IF NOT EXISTS t (a INT)"))
                .as("the table may have been there, with the columns that it still has")
                .isEmpty();
        assertThat(effects("CREATE TABLE IF NOT EXISTS t LIKE u")).isEmpty();
        assertThat(effects("ALTER TABLE t ENGINE = InnoDB")).isEmpty();
        assertThat(effects("ALTER TABLE t COMMENT = 'x', ADD INDEX (a)")).isEmpty();
        assertThat(effects("ALTER TABLE t DEFAULT CHARACTER SET latin1")).isEmpty();
        assertThat(effects("ALTER TABLE t CONVERT TO CHARACTER SET latin1")).containsExactly(TableEffect.change(T));
        assertThat(effects("ALTER TABLE t RENAME TO u"))
                .containsExactly(TableEffect.change(T), TableEffect.renamed(U, T));
        assertThat(effects("DROP TABLE t")).containsExactly(TableEffect.change(T));
        assertThat(effects("RENAME TABLE u TO t")).containsExactly(TableEffect.change(U), TableEffect.renamed(T, U));
        assertThat(effects("ALTER TABLE u CONVERT PARTITION p TO TABLE t"))
                .containsExactly(TableEffect.copy(T, true, U));
        assertThat(effects("ALTER TABLE u CONVERT TABLE t TO PARTITION p VALUES IN (1)"))
                .containsExactly(TableEffect.change(T));
        assertThat(effects("DROP DATABASE shop")).containsExactly(TableEffect.change(new TableName("shop", "")));
        assertThat(effects("INSERT INTO t VALUES (1)")).isEmpty();
    }

    /** What a partition is determined by may be in parentheses of its own, as MySQL 8 shows it. */
    @Test
    void readsTablesThatArePartitionedByAnExpression() throws IOException {
        for (String partitions : List.of(
                "PARTITION BY HASH ((`id` % 64)) PARTITIONS 64",
                "/*!50100 PARTITION BY HASH ((`id` % 64)) PARTITIONS 64 */",
                "/*!50100 PARTITION BY RANGE (((year(`d`) * 100) + month(`d`)))"
                        + " (PARTITION p0 VALUES LESS THAN (202501) ENGINE = InnoDB, PARTITION p1 VALUES LESS THAN MAXVALUE) */",
                "PARTITION BY LIST ((a)) (PARTITION p0 VALUES IN ((1), (2)))")) {
            tracker.statements().apply("DROP TABLE IF EXISTS t", "shop");
            tracker.statements()
                    .apply("CREATE TABLE t (`id` INT, `d` DATE, a INT) ENGINE=InnoDB " + partitions, "shop");

            assertThat(tracker.catalog().tables().knows(T)).as(partitions).isTrue();
        }
        tracker.statements().apply("CREATE TABLE v PARTITION BY HASH (id) AS SELECT * FROM u", "shop");
        assertThat(tracker.catalog().tables().knows(new TableName("shop", "v"))).isFalse();
    }

    @Test
    void aKeyHasTheColumnsOfItsPeriod() throws IOException {
        tracker.statements()
                .apply(
                        "CREATE TABLE t (id INT, a DATE, b DATE, PERIOD FOR p (a, b), PRIMARY KEY (id, p WITHOUT OVERLAPS))",
                        "shop");

        assertThat(tracker.catalog().table(T).columns().stream()
                        .filter(ColumnSchema::primaryKey)
                        .map(ColumnSchema::name))
                .containsExactly("id", "a", "b");
    }

    /** A history is read without sessions, so it gets what a statement does to permanent tables. */
    @Test
    void recordsOfARenameWhatItDoesToPermanentTables() throws IOException {
        List<String> recorded = new ArrayList<>();
        SchemaRecorder recorder = new SchemaRecorder() {
            @Override
            public boolean recordStatement(EventPosition at, Ddl ddl, StateSupplier before) {
                recorded.add(ddl.sql());
                return true;
            }
        };
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB, recorder);
        mariaDb.catalog().moveTo(new EventPosition("binlog.000001", 4, 10, 1, 0, null));
        mariaDb.statements().apply("CREATE TABLE t (a INT)", "shop");
        mariaDb.statements().apply("CREATE TEMPORARY TABLE t (b INT)", "shop", SqlMode.DEFAULT, session(7, true));
        recorded.clear();

        mariaDb.statements().apply("RENAME TABLE t TO u", "shop", SqlMode.DEFAULT, session(7, false));
        assertThat(recorded).isEmpty();
        mariaDb.statements()
                .apply("RENAME TABLE u TO v, t TO `a``b`, v TO t", "shop", SqlMode.DEFAULT, session(7, false));
        assertThat(recorded).containsExactly("RENAME TABLE `shop`.`t` TO `shop`.`a``b`");
        assertThat(SchemaTexts.text(mariaDb.catalog().table(new TableName("shop", "a`b"))))
                .isEqualTo("a INT");
        assertThat(mariaDb.catalog().tables().knows(T)).isFalse();
    }

    @Test
    void onlyMariaDbRenamesTemporaryTables() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        tracker.statements().apply("CREATE TEMPORARY TABLE t (b INT)", "shop", SqlMode.DEFAULT, session(7, true));
        tracker.statements().apply("RENAME TABLE t TO u", "shop", SqlMode.DEFAULT, session(7, false));

        assertThat(tracker.catalog().tables().knows(T)).isFalse();
        assertThat(SchemaTexts.text(tracker.catalog().table(U))).isEqualTo("a INT");
    }

    /** Rows of t came from a permanent table, and only a temporary one can get the name of u, if that was not dropped unnoticed. */
    @Test
    void keepsTwoSchemasAfterARenameToANameThatIsTaken() throws IOException {
        SchemaTracker mariaDb = mariaDb("t (a INT)", "u (b INT)");
        mariaDb.statements().apply("RENAME TABLE t TO v, u TO t, v TO u", "shop");
        assertThat(rowsOf(T, mariaDb)).isEqualTo("b INT");
        assertThat(rowsOf(U, mariaDb)).isEqualTo("a INT");

        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
        assertThat(mariaDb.counts().doubtfulStatements()).isZero();
        assertThat(source.asked).isEmpty();
        source.tables.put(T, "CREATE TABLE t (b INT)");
        source.tables.put(U, "CREATE TABLE u (a INT)");
        assertThat(rowsOf(T, mariaDb)).isEqualTo("b INT");
        assertThat(rowsOf(U, mariaDb)).isEqualTo("a INT");
        assertThat(source.asked).containsExactly(T, U);
    }

    /** The table that had the new name may have been dropped unnoticed. */
    @Test
    void aRenameToANameThatIsTakenIsThatOfAPermanentTableIfNothingElseIsKnown() throws IOException {
        for (String present : List.of("CREATE TABLE u (b INT)", "CREATE TABLE u (c INT)", "CREATE TABLE u (a INT)")) {
            SchemaTracker mariaDb = mariaDb("t (b INT)", "u (a INT)");
            source.isChangedLater = present.contains("a INT");
            source.tables.put(U, present);
            mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
            assertThat(rowsOf(U, mariaDb)).isEqualTo("b INT");
        }
        source.asked.clear();
        SchemaTracker mariaDb = mariaDb("t (b INT)", "u (a INT)");
        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
        assertThat(rowsOf(U, mariaDb, schema -> schema.columns().get(0).name().equals("b")))
                .isEqualTo("b INT");
        assertThat(source.asked).isEmpty(); // rows are of one schema only
    }

    @Test
    void rowsOfTheOtherSchemaAloneTellThatTheRenamedTableWasATemporaryOne() throws IOException {
        source.isChangedLater = true;
        source.tables.put(U, "CREATE TABLE u (c INT)");
        SchemaTracker mariaDb = mariaDb("t (b INT)", "u (a INT)");
        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");

        TableSchema told = mariaDb.rows()
                .resolveDoubts(U, schema -> schema.columns().get(0).name().equals("a"));

        assertThat(told).isNotNull();
        assertThat(rowsOf(U, mariaDb)).isEqualTo("a INT");
        assertThat(source.asked).isEmpty();
    }

    /** A DDL that is neither flagged nor left out is that of a permanent table, whichever that is. */
    @Test
    void changesBothSchemasOfATable() throws IOException {
        SchemaTracker mariaDb = mariaDb("t (a INT)", "u (b INT)");
        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
        mariaDb.statements().apply("ALTER TABLE u ADD c INT", "shop");
        mariaDb.statements().apply("ALTER TABLE u RENAME TO w", "shop");
        TableName w = new TableName("shop", "w");
        source.tables.put(w, "CREATE TABLE w (b INT, c INT)");
        assertThat(rowsOf(w, mariaDb)).isEqualTo("b INT, c INT");

        mariaDb = mariaDb("t (a INT)", "u (b INT)");
        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
        mariaDb.statements().apply("ALTER TABLE u CHANGE a d INT", "shop");
        source.tables.put(U, "CREATE TABLE u (b INT)");
        assertThat(rowsOf(U, mariaDb)).isEqualTo("d INT");
    }

    /** MariaDB logs names as they are written, whatever lower_case_table_names is. */
    @Test
    void exchangesTablesWhoseNamesAreSpelledInTwoCases() throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, new SourceTraits(true, 110800, true));
        mariaDb.statements().apply("CREATE TABLE Orders (id INT, a INT)", "shop");
        mariaDb.statements().apply("CREATE TABLE orders_new (id INT, b INT)", "shop");
        TableName orders = new TableName("shop", "orders");
        source.tables.put(orders, "CREATE TABLE orders (id INT, a INT)");

        mariaDb.statements().apply("RENAME TABLE Orders TO orders_old, orders_new TO orders", "shop");

        assertThat(mariaDb.catalog().tables().knows(orders)).isTrue();
        assertThat(rowsOf(orders, mariaDb)).isEqualTo("id INT, b INT");
        assertThat(rowsOf(new TableName("shop", "orders_old"), mariaDb)).isEqualTo("id INT, a INT");
        assertThat(mariaDb.counts().doubtfulStatements()).isZero();
        assertThat(source.asked).isEmpty();
    }

    /** A history was written by statements that were applied so. */
    @Test
    void replaysRenamesAsThoseOfPermanentTables() throws IOException {
        SchemaTracker mariaDb = mariaDb("t (a INT)", "u (b INT)", "w (c INT)");
        mariaDb.statements().replay("RENAME TABLE t TO u, w TO t", "shop", SqlMode.DEFAULT);
        mariaDb.statements().replay("CREATE TABLE IF NOT EXISTS u (d INT)", "shop", SqlMode.DEFAULT);

        assertThat(SchemaTexts.text(mariaDb.catalog().table(U))).isEqualTo("a INT");
        assertThat(SchemaTexts.text(mariaDb.catalog().table(T))).isEqualTo("c INT");
        assertThat(mariaDb.counts().doubtfulStatements()).isZero();
        assertThat(source.asked).isEmpty();
    }

    private static EventPosition event(String file, long offset) {
        return new EventPosition(file, offset, 10, 1, 0, null);
    }

    /** Applies statements that the server flags as those of a session that uses temporary tables. */
    private static void flagged(SchemaTracker tracker, long session, String... statements) throws IOException {
        for (String sql : statements) {
            tracker.statements().apply(sql, "shop", SqlMode.DEFAULT, session(session, true));
        }
    }

    private static Predicate<TableSchema> columns(int count) {
        return schema -> schema.columns().size() == count;
    }

    private SchemaTracker behind(SourceTraits traits, String... tables) throws IOException {
        source.isChangedLater = true;
        SchemaTracker behind = new SchemaTracker(source, traits);
        behind.catalog().moveTo(event("binlog.000001", 4));
        for (String table : tables) {
            behind.statements().apply("CREATE TABLE " + table, "shop");
            source.tables.put(new TableName("shop", table.substring(0, 1)), "CREATE TABLE x (later INT)");
        }
        return behind;
    }

    @Test
    void rowsTellWhetherAFlaggedDdlWasOfATemporaryTable() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)", "u (a INT)");
        flagged(behind, 7, "ALTER TABLE t ADD b INT, ADD c INT", "ALTER TABLE t DROP c");
        flagged(behind, 7, "ALTER TABLE u ADD b INT, ADD c INT", "ALTER TABLE u DROP c");
        assertThat(behind.catalog().doubts().has(T)).isTrue();

        assertThat(rowsOf(T, behind, columns(1))).isEqualTo("a INT");
        assertThat(rowsOf(U, behind, columns(2))).isEqualTo("a INT, b INT");
        assertThat(behind.catalog().doubts().has(T)).isFalse();
    }

    /** A temporary table would have hidden the table to which the session then adds rows. */
    @Test
    void rowsOfTheSessionTellThatItsDdlWasOfAPermanentTable() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t CHANGE a b INT", "ALTER TABLE t CHANGE b c INT");
        behind.rows().setSession(7);
        assertThat(rowsOf(T, behind)).isEqualTo("c INT");
        assertThat(behind.catalog().doubts().has(T)).isFalse();
    }

    @Test
    void rowsOfOtherSessionsAreNotNamedIfTheSourceDoesNotTell() throws IOException {
        for (long other : List.of(8L, BinlogSession.NO_ID)) {
            SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
            flagged(behind, 7, "ALTER TABLE t CHANGE a b INT");
            behind.rows().setSession(other);
            assertThat(rowsOf(T, behind)).isEqualTo("none");
            source.isChangedLater = false;
            assertThat(SchemaTexts.text(behind.catalog().table(T))).isEqualTo("later INT");
        }
    }

    /** Where the number of the session may be that of another one, or it may have had a temporary table for a part of the time. */
    @Test
    void theSessionOfRowsTellsNothingIfItIsNotCertainlyTheSame() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t CHANGE a b INT");
        behind.catalog().moveTo(event("binlog.000002", 4));
        behind.rows().setSession(7);
        assertThat(rowsOf(T, behind)).isEqualTo("none");

        behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t CHANGE a b INT", "DROP TEMPORARY TABLE IF EXISTS t");
        behind.rows().setSession(7);
        assertThat(rowsOf(T, behind)).isEqualTo("none");
    }

    /** As after a RENAME TABLE: the events of MariaDB do not tell the session of rows. */
    @Test
    void onMariaDbAFlaggedDdlIsThatOfAPermanentTableIfNothingElseIsKnown() throws IOException {
        SchemaTracker behind = behind(MARIADB, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t CHANGE a b INT");
        behind.rows().setSession(7);
        assertThat(rowsOf(T, behind)).isEqualTo("b INT");
    }

    @Test
    void asksAtOnceForATableThatAFlaggedDdlMayHaveChanged() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)", "u (a INT)");
        source.isChangedLater = false;
        source.tables.put(T, "CREATE TABLE t (a INT)");
        source.tables.put(U, "CREATE TABLE u (b INT)");
        flagged(behind, 7, "ALTER TABLE t CHANGE a b INT", "ALTER TABLE u CHANGE a b INT");
        assertThat(source.asked).containsExactly(T, U);
        source.isChangedLater = true;
        assertThat(rowsOf(T, behind)).isEqualTo("a INT");
        assertThat(rowsOf(U, behind)).isEqualTo("b INT");
    }

    @Test
    void statementsOfSeveralSessionsMayBeOfTemporaryTablesOneByOne() throws IOException {
        for (int columns = 1; columns <= 4; columns++) {
            SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
            flagged(behind, 7, "ALTER TABLE t ADD b INT");
            flagged(behind, 8, "ALTER TABLE t ADD c INT, ADD d INT");
            String expected = List.of("a", "a, b", "a, c, d", "a, b, c, d").get(columns - 1);
            assertThat(rowsOf(T, behind, columns(columns)).replace(" INT", "")).isEqualTo(expected);
        }
    }

    /** Each statement in doubt doubles the schemas that a table may have. */
    @Test
    void aTableThatMayHaveTooManySchemasIsForgotten() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        for (int session = 1; session <= 3; session++) {
            flagged(behind, session, "ALTER TABLE t ADD c%d INT".formatted(session));
            assertThat(behind.catalog().tables().knows(T)).isTrue();
        }
        flagged(behind, 4, "ALTER TABLE t ADD c4 INT");
        assertThat(behind.catalog().tables().knows(T)).isFalse();
    }

    /** It would have failed otherwise. */
    @Test
    void aCertainDdlTellsWhichSchemaATableHas() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t CHANGE a b INT");
        behind.statements().apply("ALTER TABLE t CHANGE a c INT", "shop");
        assertThat(rowsOf(T, behind)).isEqualTo("c INT");

        flagged(behind, 7, "ALTER TABLE t CHANGE c d INT");
        behind.statements().apply("ALTER TABLE t CHANGE d e INT", "shop");
        assertThat(rowsOf(T, behind)).isEqualTo("e INT");
    }

    /** Rows come of the name that the permanent table has. */
    @Test
    void keepsBothNamesOfATableThatAFlaggedDdlRenames() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t RENAME TO u, CHANGE a b INT");
        source.tables.clear();
        assertThat(rowsOf(T, behind)).isEqualTo("a INT");
        assertThat(rowsOf(U, behind)).isEqualTo("b INT");

        behind = behind(SourceTraits.DEFAULT, "t (a INT)", "u (c INT)");
        flagged(behind, 7, "ALTER TABLE t RENAME TO u");
        assertThat(rowsOf(T, behind)).isEqualTo("a INT");
        assertThat(rowsOf(U, behind)).isEqualTo("c INT");
    }

    @Test
    void aDdlThatIsAtomicOrLeavesTheColumnsIsNotInDoubt() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        behind.statements()
                .apply("ALTER TABLE t CHANGE a b INT", "shop", SqlMode.DEFAULT, new StatementSession(7, true, true));
        flagged(behind, 7, "ALTER TABLE t ADD INDEX (b)", "CREATE INDEX i ON t (b)", "TRUNCATE TABLE t");
        assertThat(behind.catalog().doubts().has(T)).isFalse();
        assertThat(rowsOf(T, behind)).isEqualTo("b INT");
        assertThat(behind.counts().doubtfulStatements()).isZero();
        assertThat(source.asked).isEmpty();
    }

    /** MariaDB flags it if it has replaced a table. */
    @Test
    void aTableThatIsReplacedByOneLikeAnotherHasItsColumns() throws IOException {
        SchemaTracker behind = behind(MARIADB, "t (a INT)", "u (b INT)");
        flagged(behind, 7, "CREATE OR REPLACE TABLE t LIKE u");
        assertThat(rowsOf(T, behind)).isEqualTo("b INT");
        assertThat(source.asked).isEmpty();

        flagged(behind, 7, "CREATE TEMPORARY TABLE u (c INT)", "CREATE OR REPLACE TABLE t LIKE u");
        assertThat(rowsOf(T, behind)).isEqualTo("none");
    }

    @Test
    void aTableLikeOneThatMayBeTemporaryHasTheColumnsOfThePermanentOneUnlessTheSourceHasOthers() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "CREATE TABLE u LIKE t");
        assertThat(rowsOf(U, behind)).isEqualTo("a INT");

        source.isChangedLater = false;
        source.tables.put(new TableName("shop", "w"), "CREATE TABLE w (q INT)");
        flagged(behind, 7, "CREATE TABLE w LIKE t");
        assertThat(rowsOf(new TableName("shop", "w"), behind)).isEqualTo("q INT");
    }

    @Test
    void aTableLikeOneInDoubtIsInDoubt() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        flagged(behind, 7, "ALTER TABLE t ADD b INT");
        behind.statements().apply("CREATE TABLE u LIKE t", "shop");
        assertThat(rowsOf(U, behind, columns(1))).isEqualTo("a INT");
    }

    @Test
    void aStateHasTheSchemasThatATableMayHave() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)", "u (a INT)");
        flagged(behind, 7, "ALTER TABLE t ADD b INT", "ALTER TABLE u CHANGE a b INT");
        SchemaState state = behind.catalog().state();
        SchemaTracker restored = behind(SourceTraits.DEFAULT);
        restored.catalog().restore(state);
        assertThat(restored.catalog().state()).isEqualTo(state);

        assertThat(rowsOf(T, restored, columns(1))).isEqualTo("a INT");
        restored.rows().setSession(7);
        assertThat(rowsOf(U, restored)).isEqualTo("b INT");
    }

    /** As a history has it. */
    @Test
    void replaysADdlThatMayBeOfATemporaryTable() throws IOException {
        SchemaTracker behind = behind(SourceTraits.DEFAULT, "t (a INT)");
        behind.statements()
                .replay(new SchemaRecorder.Ddl(
                        "ALTER TABLE t ADD b INT",
                        "shop",
                        SqlMode.DEFAULT,
                        List.of(),
                        TemporaryUse.POSSIBLE,
                        7,
                        null,
                        false));
        behind.statements()
                .replay(new SchemaRecorder.Ddl(
                        "CREATE TABLE u LIKE t",
                        "shop",
                        SqlMode.DEFAULT,
                        List.of(),
                        TemporaryUse.CERTAIN,
                        7,
                        null,
                        false));
        assertThat(source.asked).isEmpty();
        assertThat(rowsOf(T, behind, columns(1))).isEqualTo("a INT");
        assertThat(behind.catalog().tables().knows(U)).isFalse();
    }

    /** In row format nothing tells that the table t which is renamed is a temporary one, so u may be made. */
    @Test
    void asksForATableThatMayBeMadeAfterARenameToItsName() throws IOException {
        for (String create : List.of("u (b INT)", "u LIKE w")) {
            SchemaTracker mariaDb = mariaDb("t (a INT)", "w (b INT)");
            mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
            SchemaState state = mariaDb.catalog().state();
            mariaDb = new SchemaTracker(source, MARIADB);
            mariaDb.catalog().restore(state);
            source.asked.clear();

            mariaDb.statements().apply("CREATE TABLE IF NOT EXISTS " + create, "shop");
            assertThat(mariaDb.counts().doubtfulStatements()).isZero();
            assertThat(source.asked).isEmpty();
            source.tables.put(U, "CREATE TABLE u (b INT)");
            assertThat(rowsOf(U, mariaDb)).isEqualTo("b INT");

            mariaDb.statements().apply("CREATE TABLE IF NOT EXISTS u (c INT)", "shop");
            assertThat(rowsOf(U, mariaDb)).isEqualTo("b INT");
            assertThat(source.asked).containsExactly(U);
        }
    }

    /** An application may make its tables with a text that is older than their migrations, and the stream may be far behind the source. */
    @Test
    void keepsARenamedTableThatIsProbablyNotMade() throws IOException {
        source.isChangedLater = true;
        source.tables.put(U, "CREATE TABLE u (b INT)");
        for (String create : List.of("u (b INT)", "u LIKE w", "u SELECT 1 AS b", "u (b INT, b INT)")) {
            SchemaTracker mariaDb = mariaDb("t (a INT)", "w (b INT)");
            mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
            mariaDb.statements().apply("CREATE TABLE IF NOT EXISTS " + create, "shop");
            assertThat(mariaDb.counts().doubtfulStatements()).isZero();
            assertThat(rowsOf(U, mariaDb)).isEqualTo("a INT");
        }
    }

    /** Rows are those of permanent tables, and so is a DDL that is not flagged. */
    @Test
    void doesNotDoubtThatATableIsThere() throws IOException {
        source.tables.put(U, "CREATE TABLE u (b INT)");
        for (String certain : List.of(
                "RENAME TABLE u TO v, t TO u",
                "ALTER TABLE t RENAME TO u",
                "RENAME TABLE t TO w; ALTER TABLE w ADD c INT; ALTER TABLE w RENAME TO u",
                "RENAME TABLE t TO u; ALTER TABLE u ADD c INT")) {
            SchemaTracker mariaDb = certain.contains("v") ? mariaDb("t (a INT)", "u (c INT)") : mariaDb("t (a INT)");
            mariaDb.statements().apply(certain, "shop");
            mariaDb.statements().apply("CREATE TABLE IF NOT EXISTS u (b INT)", "shop");
            assertThat(rowsOf(U, mariaDb)).startsWith("a INT");
        }
        SchemaTracker mariaDb = mariaDb("t (a INT)");
        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
        assertThat(rowsOf(U, mariaDb)).isEqualTo("a INT");
        mariaDb.statements().apply("CREATE TABLE IF NOT EXISTS u (b INT)", "shop");
        assertThat(rowsOf(U, mariaDb)).isEqualTo("a INT");
        assertThat(source.asked).isEmpty();
    }

    /** To look whether a table was a sequence may mean to read all of a long binlog. */
    @Test
    void looksForADroppedSequenceOnlyIfRowsCanBeOfOne() throws IOException {
        SchemaTracker mariaDb = mariaDb();
        source.isSequence = true;
        mariaDb.statements().apply("RENAME TABLE t TO u", "shop");
        assertThat(mariaDb.catalog().table(U)).isNull();
        assertThat(mariaDb.rows().reread(U, schema -> true)).isNull();
        assertThat(mariaDb.rows().goneSequence(U, schema -> schema.columns().size() == 2))
                .isNull();
        assertThat(source.searches).isZero();

        assertThat(mariaDb.rows().goneSequence(U, schema -> schema.columns().size() == 8))
                .isNotNull();
        assertThat(mariaDb.catalog().table(U).isSequence()).isTrue();
    }

    /** A tracker of a MariaDB that has made tables. */
    private SchemaTracker mariaDb(String... tables) throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.catalog().moveTo(new EventPosition("binlog.000001", 4, 10, 1, 0, null));
        for (String table : tables) {
            mariaDb.statements().apply("CREATE TABLE " + table, "shop");
        }
        return mariaDb;
    }

    /** The schema of a table when rows have come that can be of any schema. */
    private static String rowsOf(TableName name, SchemaTracker tracker) throws IOException {
        return rowsOf(name, tracker, schema -> true);
    }

    /** The columns that rows of a table get which can be of some schemas only; {@code none} if they are not known. */
    private static String rowsOf(TableName name, SchemaTracker tracker, Predicate<TableSchema> fits)
            throws IOException {
        TableSchema known =
                tracker.catalog().table(name) == null ? null : tracker.rows().resolveDoubts(name, fits);
        return known == null ? "none" : SchemaTexts.text(known);
    }

    private static StatementSession session(long id, boolean usesTemporary) {
        return new StatementSession(id, usesTemporary, false);
    }

    private List<TableEffect> effects(String sql) {
        return tracker.statements().reader().effects(sql, "shop", SqlMode.DEFAULT);
    }

    @Test
    void readsTheCharsetOfASchemaThatNoStatementDefined() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a CHAR(1))", "shop");

        assertThat(SchemaTexts.charsets(tracker.catalog().table(T))).isEqualTo("a koi8r");
    }

    /** MariaDB drops it first, with all its tables. */
    @Test
    void aSchemaThatIsReplacedHasNoTablesOfBefore() throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.statements().apply("CREATE TABLE t (a INT)", "shop");
        mariaDb.statements().apply("CREATE TABLE other.t (a INT)", "shop");
        assertThat(mariaDb.statements().reader().effects("CREATE OR REPLACE DATABASE shop", "", SqlMode.DEFAULT))
                .containsExactly(TableEffect.change(new TableName("shop", "")));
        assertThat(mariaDb.statements().reader().effects("CREATE DATABASE shop", "", SqlMode.DEFAULT))
                .isEmpty();

        mariaDb.statements().apply("CREATE OR REPLACE DATABASE shop", "");

        assertThat(mariaDb.catalog().tables().knows(T)).isFalse();
        assertThat(mariaDb.catalog().tables().knows(new TableName("other", "t")))
                .isTrue();
        assertThat(mariaDb.catalog().tables().takeGone()).containsExactly(new TableName("shop", ""));
        mariaDb.statements().apply("CREATE TABLE IF NOT EXISTS t (b INT)", "shop");
        assertThat(SchemaTexts.text(mariaDb.catalog().table(T))).isEqualTo("b INT");
    }

    @Test
    void distinguishesNamesByCaseUnlessTheServerFoldsThem() throws IOException {
        SchemaTracker folding = new SchemaTracker(source, new SourceTraits(false, 80031, true));
        for (SchemaTracker each : List.of(tracker, folding)) {
            each.statements().apply("CREATE TABLE T (a INT)", "Shop");
        }

        assertThat(tracker.catalog().table(T)).isNull();
        assertThat(SchemaTexts.text(folding.catalog().table(T))).isEqualTo("a INT");
    }

    @Test
    void asksAtOnceForTablesThatAStatementOfNoKnownFormNames() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT)", "shop");
        tracker.statements().apply("CREATE TABLE u (a INT)", "shop");
        source.tables.put(T, "CREATE TABLE t (a int, b int)");

        tracker.statements().apply("ALTER FANCY TABLE shop.t MAKE IT 'u'", "");
        source.tables.put(T, "CREATE TABLE t (a int, b int, later int)");

        assertThat(source.asked).containsExactly(T);
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a int, b int");
        assertThat(tracker.counts().doubtfulStatements()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alter event e comment 'x' do alter table t drop column a",
                "alter definer=root@localhost event shop.t do drop table t",
                "drop event if exists t",
                "drop view t",
                "alter algorithm=merge definer=root@localhost sql security invoker view t as select 1",
                "drop trigger if exists shop.t",
                "alter procedure t comment 'x'",
                "drop function t",
                "alter sequence t restart 5"
            })
    void keepsATableThatAStatementOfObjectsWithoutRowsNames(String sql) throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.statements().apply("create table t (a int, b int)", "shop");

        mariaDb.statements().apply(sql, "shop");

        assertThat(mariaDb.counts().doubtfulStatements()).isZero();
        assertThat(mariaDb.catalog().tables().knows(T)).isTrue();
        assertThat(source.asked).isEmpty();
    }

    /** MariaDB makes a table without versions of it then. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table t (a int, s timestamp(6) as row start, e timestamp(6) as row end, b int without system versioning)",
                "create table t (a int without system versioning, s timestamp(6) as row start, e timestamp(6) as row end,"
                        + " period for system_time (s, e))"
            })
    void aTableWithUnversionedColumnsHasVersionsOnlyIfTheStatementSaysSo(String sql) throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);

        mariaDb.statements().apply(sql, "shop");
        assertThat(mariaDb.catalog().table(T).columns())
                .extracting(ColumnSchema::versioning)
                .containsOnly(Versioning.NONE);

        mariaDb.statements()
                .apply(sql.replaceFirst("table t", "or replace table t") + " with system versioning", "shop");
        assertThat(mariaDb.catalog().table(T).columns())
                .extracting(ColumnSchema::versioning)
                .contains(Versioning.ROW_END);
    }

    @Test
    void keepsATableToWhoseNameNoOtherOneWasRenamed() throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.statements().apply("create table t (a int)", "shop");
        mariaDb.statements().apply("create table v (b int)", "shop");

        mariaDb.statements().apply("rename table if exists u to t, v to u", "shop");

        assertThat(source.asked).isEmpty();
        assertThat(SchemaTexts.text(mariaDb.catalog().table(T))).isEqualTo("a int");
        assertThat(SchemaTexts.text(mariaDb.catalog().table(U))).isEqualTo("b int");
    }

    @Test
    void keepsATableOfTheNameOfASequenceThatIsDroppedIfItExists() throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.statements().apply("create table t (a int)", "shop");

        mariaDb.statements().apply("drop sequence if exists t", "shop");

        assertThat(SchemaTexts.text(mariaDb.catalog().table(T))).isEqualTo("a int");
        assertThat(source.asked).isEmpty();
    }

    @Test
    void takesATableThatIsMadeWhereAnUnknownOneMayHaveBeenRenamedTo() throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);

        mariaDb.statements().apply("rename table if exists u to t", "shop");
        assertThat(source.asked).containsExactly(T);
        mariaDb.statements().apply("create table if not exists t (a int)", "shop");

        assertThat(SchemaTexts.text(mariaDb.catalog().table(T))).isEqualTo("a int");
    }

    @Test
    void asksAtOnceForATableThatWasRenamedFromOneItDoesNotKnow() throws IOException {
        source.tables.put(T, "CREATE TABLE t (a int)");

        tracker.statements().apply("RENAME TABLE _t_gho TO t", "shop");

        assertThat(source.asked).containsExactly(T);
    }

    @Test
    void returnsDroppedAndRenamedNamesOnce() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a int)", "shop");
        assertThat(tracker.catalog().tables().takeGone()).isEmpty();

        tracker.statements().apply("RENAME TABLE t TO u", "shop");
        assertThat(tracker.catalog().tables().takeGone()).containsExactly(T);
        tracker.statements().apply("ALTER TABLE u RENAME TO t", "shop");
        assertThat(tracker.catalog().tables().takeGone()).containsExactly(U);
        tracker.statements().apply("DROP TABLE IF EXISTS t, other.t", "shop");
        assertThat(tracker.catalog().tables().takeGone()).containsExactly(T, new TableName("other", "t"));
        tracker.statements().apply("DROP DATABASE shop", "");
        assertThat(tracker.catalog().tables().takeGone()).containsExactly(new TableName("shop", ""));
        tracker.statements().replay("DROP TABLE t", "shop", SqlMode.DEFAULT);
        assertThat(tracker.catalog().tables().takeGone()).isEmpty();
    }

    /** Table maps have them as the server keeps them. */
    @Test
    void namesOfDroppedTablesAreFoldedAsOnTheServer() throws IOException {
        SchemaTracker folding = new SchemaTracker(source, new SourceTraits(false, 80031, true));

        folding.statements().apply("DROP TABLE Shop.T", "");

        assertThat(folding.catalog().tables().takeGone()).containsExactlyInAnyOrder(new TableName("Shop", "T"), T);
    }

    @Test
    void readsNoBreakSpacesAsTheClientsCharacterSetHasThem() throws IOException {
        String sql = "CREATE\u00a0TABLE t (a INT\u00a0unsigned, b\u00a0c INT)";
        tracker.statements()
                .apply(
                        sql.replace("b\u00a0c", "`b\u00a0c`"),
                        "shop",
                        SqlMode.DEFAULT.ofClient(sql, "latin1", "utf8mb4"));
        tracker.statements()
                .apply(
                        "ALTER TABLE t MODIFY `b\u00a0c` INT\u00a0FIRST",
                        "shop",
                        SqlMode.DEFAULT.ofClient(sql, "greek", "utf8mb4"));
        tracker.statements()
                .apply("CREATE TABLE u (b\u00a0c INT)", "shop", SqlMode.DEFAULT.ofClient(sql, "utf8mb4", "utf8mb4"));

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("b\u00a0c INT, a INT unsigned");
        assertThat(SchemaTexts.text(tracker.catalog().table(U))).isEqualTo("b\u00a0c INT");
    }

    /** As MySQL 8.0 and MariaDB 11.8 have them: the character set of the connection decides. */
    @ParameterizedTest
    @CsvSource({
        "binary, binary, Ã©, 鐢, 甲, é",
        "utf8mb4, binary, Ã©, 鐢, 甲, é",
        "binary, utf8mb4, é, 甲, 甲, é",
        "utf8mb4, utf8mb4, é, 甲, 甲, é",
        "latin1, binary, é, 甲, 甲, é",
    })
    void membersAreTextInTheColumnsCharacterSetWhereStringsAreBytes(
            String client, String connection, String latin1, String gbk, String utf8, String binary)
            throws IOException {
        String sql =
                "CREATE TABLE t (a ENUM('é') CHARSET latin1, b SET('甲') CHARSET gbk, c ENUM('甲'), d ENUM('é') CHARSET"
                        + " binary) CHARSET utf8mb4";
        SqlMode mode = SqlMode.DEFAULT.ofClient(sql, client, connection);
        tracker.statements().apply(sql, "shop", mode);

        assertThat(SchemaTexts.text(tracker.catalog().table(T)))
                .startsWith("a ENUM('%s'), b SET('%s".formatted(latin1, gbk))
                .endsWith("c ENUM('%s'), d ENUM('%s')".formatted(utf8, binary));
        assertThat(SqlMode.parse(mode.toString())).isEqualTo(mode);
    }

    /** MariaDB reads the text in the mode of the session, and logs that of SET STATEMENT; read in another one, each of the first ones would be another DDL, or none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ANSI_QUOTES | MODIFY b ENUM(\"x\",\"y\") | a INT, b ENUM('x','y')",
                "NO_BACKSLASH_ESCAPES | MODIFY b ENUM('it\\'s','c') | a INT, b ENUM('it''s','c')",
                "NO_BACKSLASH_ESCAPES | ADD d DATE FIRST | d DATE, a INT, b INT",
                "~~ | ADD \"d\" INT FIRST | d INT, a INT, b INT",
                "~~ | ADD d INT COMMENT 'x\\', ADD z INT FIRST -- ' | ~~",
                "NO_BACKSLASH_ESCAPES | ADD d INT COMMENT 'x\\' FIRST, ADD e INT COMMENT ' y' | d INT, a INT, b INT, e INT",
                "~~ | ADD d INT COMMENT 'it\\'s', ADD e INT COMMENT 'x' | a INT, b INT, d INT, e INT",
                "NO_BACKSLASH_ESCAPES | ADD d INT COMMENT 'it\\'s', ADD e INT COMMENT 'x' | a INT, b INT, d INT, e INT",
                "~~ | ADD d INT COMMENT 'it\\'s', ADD e INT COMMENT 'x' /* | ~~",
                "~~ | ADD d INT COMMENT 'x\\' | a INT, b INT, d INT",
                "ORACLE | ADD d DATE | ~~",
                "ORACLE | ADD d INT | a INT, b INT, d INT",
            })
    void aStatementAfterSetStatementIsReadOnlyIfAllModesAgree(String flags, String items, String expected)
            throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.statements().apply("CREATE TABLE t (a INT, b INT)", "shop");
        mariaDb.statements()
                .apply(
                        "SET STATEMENT max_statement_time=1, sql_mode='%s' FOR ALTER TABLE t %s"
                                .formatted(flags, items),
                        "shop",
                        SqlMode.parse(flags));

        assertThat(source.asked).hasSize(expected.isEmpty() ? 1 : 0);
        assertThat(expected)
                .isEqualTo(
                        expected.isEmpty()
                                ? ""
                                : SchemaTexts.text(mariaDb.catalog().table(T)));
    }

    @Test
    void aModeThatSetStatementAssignsIsAsUnknown() throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);
        mariaDb.statements().apply("CREATE TABLE t (a INT, b INT)", "shop");
        mariaDb.statements()
                .apply(
                        "SET STATEMENT sql_mode := 'NO_BACKSLASH_ESCAPES' FOR ALTER TABLE t MODIFY b INT COMMENT 'x\\' FIRST -- '",
                        "shop",
                        new SqlMode(false, true));

        assertThat(source.asked).containsExactly(T);
    }

    @Test
    void readsNamesInDoubleQuotesAndBackslashesAsTheSessionDoes() throws IOException {
        tracker.statements()
                .apply("CREATE TABLE \"t\" (\"a\" ENUM('x\\'), \"b\" INT)", "shop", new SqlMode(true, true));
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a ENUM('x\\'), b INT");
        assertThat(SqlMode.ofBits(4)).isEqualTo(new SqlMode(true, false));
        assertThat(SqlMode.parse(SqlMode.ofBits(4 | 1 << 20).toString())).isEqualTo(new SqlMode(true, true));
    }

    /** The bits of {@code sql_mode} as the servers number them. */
    @ParameterizedTest
    @CsvSource({
        "4, ANSI_QUOTES",
        "512, ORACLE",
        "4096, MAXDB",
        "1048576, NO_BACKSLASH_ESCAPES",
        "1168113664, ''",
    })
    void readsTheBitsOfAMode(long bits, String words) {
        assertThat(SqlMode.ofBits(bits)).hasToString(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ORACLE | a DATE, b NUMBER, c NUMBER(5), d VARCHAR2(9), e RAW(9) | a datetime, b double, c decimal(5), d varchar(9), e varbinary(9)",
                "ORACLE | a CLOB, b BLOB, c BLOB(10) | a longtext, b longblob, c BLOB(10)",
                "MAXDB | a TIMESTAMP, b DATE | a datetime, b DATE",
                "ORACLE,MAXDB | a TIMESTAMP, b DATE | a TIMESTAMP, b datetime",
                "~~ | a DATE, b BLOB, c TIMESTAMP | a DATE, b BLOB, c TIMESTAMP",
            })
    void typesOfMariaDbDependOnTheMode(String mode, String columns, String expected) throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(source, MARIADB);

        mariaDb.statements().apply("CREATE TABLE t (%s)".formatted(columns), "shop", SqlMode.parse(mode));

        assertThat(SchemaTexts.text(mariaDb.catalog().table(T))).isEqualTo(expected);
    }
}
