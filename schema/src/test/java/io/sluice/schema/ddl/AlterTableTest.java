package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.SchemaTexts;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AlterTableTest {
    private static final TableName T = new TableName("shop", "t");

    private final SchemaTracker tracker = new SchemaTracker(table -> null);

    @BeforeEach
    void createTable() throws IOException {
        tracker.statements()
                .apply("CREATE TABLE t (a INT PRIMARY KEY, b INT, c TEXT) DEFAULT CHARSET = latin1", "shop");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "ADD d INT | a* INT, b INT, c TEXT, d INT",
                "ADD COLUMN d INT NOT NULL DEFAULT 5 FIRST | d INT, a* INT, b INT, c TEXT",
                "ADD d INT DEFAULT 'x' COMMENT 'first' AFTER `A` | a* INT, d INT, b INT, c TEXT",
                "ADD d INT AFTER c, ADD e INT AFTER d, ADD f INT FIRST | f INT, a* INT, b INT, c TEXT, d INT, e INT",
                "ADD COLUMN (d INT, e TEXT, KEY (d)) | a* INT, b INT, c TEXT, d INT, e TEXT",
                "ADD COLUMN IF NOT EXISTS b TEXT, ADD d INT | a* INT, b INT, c TEXT, d INT",
                "DROP PRIMARY KEY, ADD (d INT, CONSTRAINT pk PRIMARY KEY (d, b)) | a INT, b* INT, c TEXT, d* INT",
                "DROP b | a* INT, c TEXT",
                "DROP COLUMN b, DROP COLUMN c RESTRICT | a* INT",
                "DROP COLUMN IF EXISTS zz, DROP c | a* INT, b INT",
                "MODIFY b BIGINT UNSIGNED | a* INT, b BIGINT unsigned, c TEXT",
                "MODIFY COLUMN a BIGINT | a* BIGINT, b INT, c TEXT",
                "MODIFY c TEXT FIRST, MODIFY b INT AFTER c | c TEXT, b INT, a* INT",
                "CHANGE b bb INT8 | a* INT, bb INT8, c TEXT",
                "CHANGE COLUMN c cc TEXT AFTER a, CHANGE b c INT | a* INT, cc TEXT, c INT",
                "RENAME COLUMN b TO c, RENAME COLUMN c TO b | a* INT, c INT, b TEXT",
                "RENAME COLUMN a TO id, ADD d INT AFTER id | id* INT, d INT, b INT, c TEXT",
                "RENAME INDEX b TO c, RENAME KEY x TO y | a* INT, b INT, c TEXT",
                "ALTER COLUMN b SET DEFAULT (1 + 1), ALTER b DROP DEFAULT, ALTER INDEX i INVISIBLE | a* INT, b INT, c TEXT",
                "DROP PRIMARY KEY | a INT, b INT, c TEXT",
                "DROP INDEX `PRIMARY` | a INT, b INT, c TEXT",
                "DROP CONSTRAINT `primary`, ADD d INT | a INT, b INT, c TEXT, d INT",
                "WAIT 5 ADD d INT | a* INT, b INT, c TEXT, d INT",
                "NOWAIT ADD d INT | a* INT, b INT, c TEXT, d INT",
                "DROP PRIMARY KEY, ADD PRIMARY KEY (b, c(9)) | a INT, b* INT, c* TEXT",
                "DROP PRIMARY KEY, MODIFY a BIGINT, ADD d SERIAL PRIMARY KEY | a BIGINT, b INT, c TEXT, d* SERIAL",
                "ADD INDEX d (b), ADD CONSTRAINT UNIQUE e (b), ADD d INT | a* INT, b INT, c TEXT, d INT",
                "ADD CHECK (b > 0), ADD CONSTRAINT k CHECK (b < 9), ADD FOREIGN KEY (b) REFERENCES o (x, y) | a* INT, b INT, c TEXT",
                "ENGINE = InnoDB COMMENT 'drop b' ROW_FORMAT = COMPACT, ADD d INT | a* INT, b INT, c TEXT, d INT",
                "ADD d INT, ALGORITHM = INPLACE, LOCK = NONE | a* INT, b INT, c TEXT, d INT",
                "ADD d INT, ORDER BY a, modify, b, add DESC | a* INT, b INT, c TEXT, d INT",
                "ORDER BY b PARTITION BY HASH (a) PARTITIONS 2 | a* INT, b INT, c TEXT",
                "ADD d INT, ORDER BY a, b | a* INT, b INT, c TEXT, d INT",
                "ADD d INT PARTITION BY RANGE (a) (PARTITION p VALUES LESS THAN (1), PARTITION q VALUES LESS THAN (2)) | a* INT, b INT, c TEXT, d INT",
                "ADD d INT NOT NULL PARTITION BY KEY (a) PARTITIONS 4 | a* INT, b INT, c TEXT, d INT",
                "MODIFY b BIGINT PARTITION BY RANGE (a) SUBPARTITION BY LINEAR KEY (a) (PARTITION p VALUES LESS THAN (1)) | a* INT, b BIGINT, c TEXT",
                "ADD CONSTRAINT IF NOT EXISTS k CHECK (b > 0) | a* INT, b INT, c TEXT",
                "ADD CONSTRAINT IF NOT EXISTS k FOREIGN KEY (b) REFERENCES o (x), ADD d INT | a* INT, b INT, c TEXT, d INT",
                "ADD PERIOD IF NOT EXISTS FOR p (x, y), ADD d INT | a* INT, b INT, c TEXT, d INT",
                "DROP PERIOD IF EXISTS FOR p, ADD d INT | a* INT, b INT, c TEXT, d INT",
                "ADD PRIMARY KEY IF NOT EXISTS (b) | a* INT, b INT, c TEXT",
                "DROP PRIMARY KEY, ADD PRIMARY KEY IF NOT EXISTS (b) | a INT, b INT, c TEXT",
                "ADD COLUMN IF NOT EXISTS d INT PRIMARY KEY | a* INT, b INT, c TEXT, d INT",
                "ADD IF NOT EXISTS d INT KEY FIRST | d INT, a* INT, b INT, c TEXT",
                "DROP PRIMARY KEY, ADD COLUMN IF NOT EXISTS d INT PRIMARY KEY | a INT, b INT, c TEXT, d INT",
                "DROP a, ADD COLUMN IF NOT EXISTS (d INT PRIMARY KEY, e INT) | b INT, c TEXT, d INT, e INT",
                "MODIFY IF EXISTS b INT PRIMARY KEY | a* INT, b INT, c TEXT",
                "MODIFY IF EXISTS a BIGINT PRIMARY KEY | a* BIGINT, b INT, c TEXT",
                "DROP PRIMARY KEY, CHANGE IF EXISTS b bb INT PRIMARY KEY | a INT, bb INT, c TEXT",
                "DROP PRIMARY KEY, MODIFY b INT PRIMARY KEY | a INT, b* INT, c TEXT",
                "DROP COLUMN b, ADD COLUMN IF NOT EXISTS b INT FIRST | a* INT, c TEXT",
                "ADD `period` INT, ADD `if` INT | a* INT, b INT, c TEXT, period INT, if INT",
                "REORGANIZE PARTITION p, q INTO (PARTITION r VALUES IN (1)) | a* INT, b INT, c TEXT",
                "DROP PARTITION b, c | a* INT, b INT, c TEXT",
                "ADD d GEOMETRY NOT NULL SRID 4326 INVISIBLE | a* INT, b INT, c TEXT, d GEOMETRY",
                "ADD COLUMN g INT GENERATED ALWAYS AS (b + 1) VIRTUAL AFTER a | a* INT, g INT, b INT, c TEXT",
                "ADD SYSTEM VERSIONING | a* INT, b INT, c TEXT, row_start timestamp(6), row_end timestamp(6)",
                "ADD d TIMESTAMP(6) AS ROW START, ADD e TIMESTAMP(6) AS ROW END, ADD PERIOD FOR SYSTEM_TIME(d, e), ADD SYSTEM VERSIONING | a* INT, b INT, c TEXT, d TIMESTAMP(6), e* TIMESTAMP(6)",
                "DROP PRIMARY KEY, ADD d TIMESTAMP(6) AS ROW START, ADD e TIMESTAMP(6) AS ROW END INVISIBLE, ADD PERIOD FOR SYSTEM_TIME(d, e), ADD SYSTEM VERSIONING | a INT, b INT, c TEXT, d TIMESTAMP(6), e TIMESTAMP(6)",
                "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin | a* INT, b INT, c MEDIUMTEXT",
            })
    void changesTheSchema(String items, String expected) throws IOException {
        tracker.statements().apply("ALTER TABLE t " + items, "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo(expected);
    }

    /** The column e comes last: no word of a value is an attribute. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "case when first = 1 then 2 else 3 end",
                "case first when 1 then (case when 1 then 2 end) else case first when 1 then 3 end end",
                "case when 1 then `end` end",
                "case when 1 then t.end else first end",
                "case when 1 then shop.t.end else .t.end end",
                "case when 1 then 5. end",
                "case when 5. then 5.5 else .5 end",
                "next value for first",
                "previous value for shop.first",
                "t.first",
                "shop.t.first",
                ".t.first",
                "first",
                "`first`",
                "nextval(first)",
                "5.",
                ".5",
                "-5",
                "now() on update now()",
                "case when 1 = 1 then ascii('a') end",
                "case when 1 then unicode else byte end unique",
            })
    void noWordOfADefaultIsTakenForAnAttribute(String value) throws IOException {
        tracker.statements()
                .apply(
                        "ALTER TABLE t ADD d VARCHAR(9) DEFAULT " + value + ", ADD e VARCHAR(9) DEFAULT " + value,
                        "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T)))
                .isEqualTo("a* INT, b INT, c TEXT, d VARCHAR(9), e VARCHAR(9)");
        assertThat(SchemaTexts.charsets(tracker.catalog().table(T))).isEqualTo("c latin1, d latin1, e latin1");

        tracker.statements().apply("ALTER TABLE t ADD f INT DEFAULT " + value + " FIRST", "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).startsWith("f INT, a* INT");
    }

    @Test
    void aPeriodMayBeInTheParenthesesOfAdd() throws IOException {
        tracker.statements().apply("ALTER TABLE t ADD (s DATE, e DATE, PERIOD FOR p (s, e))", "shop");
        tracker.statements().apply("ALTER TABLE t DROP PRIMARY KEY, ADD PRIMARY KEY (a, p WITHOUT OVERLAPS)", "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a* INT, b INT, c TEXT, s* DATE, e* DATE");

        tracker.statements()
                .apply(
                        "ALTER TABLE t ADD (rs TIMESTAMP(6) AS ROW START, re TIMESTAMP(6) AS ROW END, PERIOD FOR SYSTEM_TIME (rs, re)),"
                                + " ADD SYSTEM VERSIONING",
                        "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T)))
                .isEqualTo("a* INT, b INT, c TEXT, s* DATE, e* DATE, rs TIMESTAMP(6), re* TIMESTAMP(6)");
    }

    /** MySQL takes the two letters for different ones, and so does MariaDB of some. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RENAME COLUMN Ⰰ TO q | q INT, ⰰ* TEXT",
                "RENAME COLUMN ⰰ TO q | Ⰰ INT, q* TEXT",
                "DROP Ⰰ | ⰰ* TEXT",
                "DROP ⰰ | Ⰰ INT",
                "MODIFY ⰰ BIGINT FIRST | ⰰ* BIGINT, Ⰰ INT",
                "CHANGE Ⰰ q BIGINT AFTER ⰰ | ⰰ* TEXT, q BIGINT",
                "ADD x INT AFTER Ⰰ | Ⰰ INT, x INT, ⰰ* TEXT",
                "ADD x INT AFTER ⰰ | Ⰰ INT, ⰰ* TEXT, x INT",
                "DROP PRIMARY KEY, ADD PRIMARY KEY (Ⰰ) | Ⰰ* INT, ⰰ TEXT",
                "DROP PRIMARY KEY, ADD PRIMARY KEY (ⰰ(9)) | Ⰰ INT, ⰰ* TEXT",
            })
    void aNameMeansTheColumnThatHasExactlyIt(String items, String expected) throws IOException {
        tracker.statements().apply("CREATE TABLE u (Ⰰ INT, ⰰ TEXT, PRIMARY KEY (ⰰ(9)))", "shop");
        tracker.statements().apply("ALTER TABLE u " + items, "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(new TableName("shop", "u"))))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "ADD b INT",
        "'ADD (d INT, PRIMARY KEY (zz))'",
        "ADD SOMETHING",
        "ADD EXISTS INT",
        "DROP zz",
        "MODIFY zz INT",
        "CHANGE zz z INT",
        "RENAME COLUMN zz TO z",
        "ADD d INT AFTER zz",
        "ADD PRIMARY KEY (zz)"
    })
    void forgetsTheTableIfTheChangeDoesNotFit(String items) throws IOException {
        tracker.statements().apply("ALTER TABLE t " + items, "shop");

        assertThat(tracker.catalog().table(T)).isNull();
    }

    @Test
    void addsAKeyWithItsColumnIfTheTableHasNone() throws IOException {
        tracker.statements().apply("ALTER TABLE t DROP PRIMARY KEY", "shop");
        tracker.statements().apply("ALTER TABLE t ADD COLUMN IF NOT EXISTS d INT PRIMARY KEY", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT, b INT, c TEXT, d* INT");
    }

    @Test
    void dropsWhatVersioningAdded() throws IOException {
        tracker.statements().apply("ALTER TABLE t ADD SYSTEM VERSIONING", "shop");
        tracker.statements().apply("ALTER TABLE t ADD d INT, ADD e INT AFTER a", "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T)))
                .isEqualTo("a* INT, e INT, b INT, c TEXT, d INT, row_start timestamp(6), row_end timestamp(6)");

        tracker.statements().apply("ALTER TABLE t DROP SYSTEM VERSIONING", "shop");
        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a* INT, e INT, b INT, c TEXT, d INT");
    }

    @Test
    void changesCharsets() throws IOException {
        tracker.statements()
                .apply("ALTER TABLE t ADD d CHAR(1), ADD e CHAR(2) CHARSET big5, ADD f CHAR(3) CHARSET binary", "shop");
        assertThat(SchemaTexts.charsets(tracker.catalog().table(T))).isEqualTo("c latin1, d latin1, e big5, f binary");

        tracker.statements().apply("ALTER TABLE t DEFAULT CHARACTER SET = gbk, ADD g CHAR(1)", "shop");
        assertThat(SchemaTexts.charsets(tracker.catalog().table(T)))
                .isEqualTo("c latin1, d latin1, e big5, f binary, g gbk");

        tracker.statements().apply("ALTER TABLE t CONVERT TO CHARSET utf8mb4, MODIFY d CHAR(2)", "shop");
        assertThat(SchemaTexts.charsets(tracker.catalog().table(T)))
                .isEqualTo("c utf8mb4, d utf8mb4, e utf8mb4, f binary, g utf8mb4");
    }

    @Test
    void theEndOfASystemsPeriodIsInTheKeyOfMariaDb() throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, new SourceTraits(true, 101118, false));
        TableName u = new TableName("shop", "u");
        server.statements()
                .apply(
                        "CREATE TABLE u (id INT, rs TIMESTAMP(6) AS ROW START, re TIMESTAMP(6) AS ROW END, PRIMARY KEY (id),"
                                + " PERIOD FOR SYSTEM_TIME (rs, re)) WITH SYSTEM VERSIONING",
                        "shop");
        assertThat(SchemaTexts.text(server.catalog().table(u))).isEqualTo("id* INT, rs TIMESTAMP(6), re* TIMESTAMP(6)");
        server.statements().apply("ALTER TABLE u DROP PRIMARY KEY", "shop");
        assertThat(SchemaTexts.text(server.catalog().table(u))).isEqualTo("id INT, rs TIMESTAMP(6), re TIMESTAMP(6)");
        server.statements().apply("ALTER TABLE u ADD PRIMARY KEY (id)", "shop");
        assertThat(SchemaTexts.text(server.catalog().table(u))).isEqualTo("id* INT, rs TIMESTAMP(6), re* TIMESTAMP(6)");
    }

    /** From MariaDB 11.7 on, wherever the definitions say that they go. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ADD s TIMESTAMP(6) AS ROW START FIRST, ADD e TIMESTAMP(6) AS ROW END AFTER id, ADD PERIOD FOR SYSTEM_TIME (s, e), ADD c INT | id* INT, v INT, s TIMESTAMP(6), e* TIMESTAMP(6), c INT",
                "ADD PERIOD FOR SYSTEM_TIME (row_start, e), ADD row_start TIMESTAMP(6) AS ROW START, ADD e TIMESTAMP(6) AS ROW END, ADD c INT FIRST | c INT, id* INT, v INT, row_start TIMESTAMP(6), e* TIMESTAMP(6)",
                "ADD COLUMN IF NOT EXISTS row_start TIMESTAMP(6) AS ROW START, ADD row_end TIMESTAMP(6) AS ROW END, ADD PERIOD FOR SYSTEM_TIME (row_start, row_end) | id* INT, v INT, row_start timestamp(6), row_end timestamp(6)",
                "ADD s TIMESTAMP(6) AS ROW START, ADD e TIMESTAMP(6) AS ROW END, ADD PERIOD FOR SYSTEM_TIME (s, e), DROP SYSTEM VERSIONING | id* INT, v INT, s TIMESTAMP(6), e* TIMESTAMP(6)"
            })
    void namedColumnsOfASystemsPeriodAreInThePlaceOfHiddenOnes(String items, String expected) throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, new SourceTraits(true, 110806, false));
        TableName u = new TableName("shop", "u");
        server.statements().apply("CREATE TABLE u (id INT PRIMARY KEY, v INT) WITH SYSTEM VERSIONING", "shop");
        server.statements().apply("ALTER TABLE u " + items, "shop");
        assertThat(SchemaTexts.text(server.catalog().table(u))).isEqualTo(expected);
    }

    /** Its columns are part of a key that names it. */
    @Test
    void columnsOfAPeriodStayItsColumnsWhenTheyAreDefinedAgain() throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, new SourceTraits(true, 101118, false));
        server.statements().apply("CREATE TABLE u (id INT, s DATE, e DATE, PERIOD FOR p (s, e))", "shop");
        server.statements().apply("ALTER TABLE u MODIFY s DATETIME, CHANGE e f DATETIME", "shop");
        server.statements().apply("ALTER TABLE u ADD PRIMARY KEY (id, p WITHOUT OVERLAPS)", "shop");

        assertThat(SchemaTexts.text(server.catalog().table(new TableName("shop", "u"))))
                .isEqualTo("id* INT, s* DATETIME, f* DATETIME");
    }

    @Test
    void aNewNameWithoutASchemaIsInTheOneOfTheSession() throws IOException {
        tracker.statements().apply("ALTER TABLE shop.t RENAME TO u", "stock");

        assertThat(tracker.catalog().tables().knows(T)).isFalse();
        assertThat(SchemaTexts.text(tracker.catalog().table(new TableName("stock", "u"))))
                .isEqualTo("a* INT, b INT, c TEXT");
    }

    /** As MySQL generates it with {@code sql_generate_invisible_primary_key}. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "80031 | ADD w INT FIRST | my_row_id* bigint unsigned, w INT, v int",
                "80031 | MODIFY v INT FIRST | my_row_id* bigint unsigned, v INT",
                "80029 | ADD w INT FIRST | w INT, my_row_id* bigint unsigned, v int",
            })
    void theKeyThatTheServerHasGeneratedStaysFirst(int version, String items, String expected) throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, new SourceTraits(false, version, false));
        server.statements()
                .apply(
                        "CREATE TABLE u (my_row_id bigint unsigned NOT NULL AUTO_INCREMENT INVISIBLE, v int, PRIMARY KEY (my_row_id))",
                        "shop");
        server.statements().apply("ALTER TABLE u " + items, "shop");

        assertThat(SchemaTexts.text(server.catalog().table(new TableName("shop", "u"))))
                .isEqualTo(expected);
    }

    /** MariaDB's JSON is a LONGTEXT in utf8mb4, until it is converted. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "m JSON | CONVERT TO CHARSET latin1 | m longtext latin1",
                "m JSON | CONVERT TO CHARSET latin1, ADD n JSON | m longtext latin1, n longtext latin1",
                "m JSON | CONVERT TO CHARSET utf16le, CHANGE m n JSON | n longtext utf16le",
                "m JSON | CONVERT TO CHARSET binary | m longblob null",
                "m JSON | CONVERT TO CHARSET utf8mb4 | m JSON utf8mb4",
                "m JSON | DEFAULT CHARSET gbk, ADD n JSON | m JSON utf8mb4, n JSON utf8mb4",
                "m JSON COLLATE latin1_bin | FORCE | m longtext latin1"
            })
    void jsonOfMariaDbIsText(String column, String items, String expected) throws IOException {
        SourceTraits mariaDb = new SourceTraits(true, 101118, false);
        SchemaTracker server = new SchemaTracker(table -> null, mariaDb);
        server.statements().apply("CREATE TABLE u (%s) DEFAULT CHARSET = cp1251".formatted(column), "shop");
        server.statements().apply("ALTER TABLE u " + items, "shop");
        SchemaTracker restored = new SchemaTracker(table -> null, mariaDb);
        restored.catalog().restore(server.catalog().state());

        for (SchemaTracker each : List.of(server, restored)) {
            assertThat(each.catalog().table(new TableName("shop", "u")).columns().stream()
                            .map(known -> known.name() + " " + known.mysqlType() + " " + known.charset())
                            .collect(Collectors.joining(", ")))
                    .isEqualTo(expected);
        }
    }

    /** MySQL refuses other character sets beside that of CONVERT TO, MariaDB does not. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CONVERT TO CHARSET utf16le, COLLATE utf8_general_ci, ADD d CHAR(1) | c utf16le, d utf16le, e utf8",
                "COLLATE utf8_general_ci, CONVERT TO CHARSET utf16le, ADD d CHAR(1) | c utf16le, d utf16le, e utf8",
                "CONVERT TO CHARSET utf16le, DEFAULT CHARSET koi8r, MODIFY c TEXT | c utf16le, e koi8r",
                "DEFAULT CHARSET koi8r, CONVERT TO CHARSET utf16le, ADD d CHAR(1) CHARSET gbk | c utf16le, d utf16le, e koi8r",
                "CONVERT TO CHARSET latin1 COLLATE latin1_bin, COLLATE utf8_bin | c latin1, e utf8",
                "CONVERT TO CHARSET utf16le, COMMENT = 'c' | c utf16le, e utf16le"
            })
    void convertsToTheSetThatIsNamedForThatWhateverTheDefaultBecomes(String items, String expected) throws IOException {
        tracker.statements().apply("ALTER TABLE t " + items, "shop");
        tracker.statements().apply("ALTER TABLE t ADD e CHAR(1)", "shop");

        assertThat(SchemaTexts.charsets(tracker.catalog().table(T))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "TEXT | utf8mb4 | text character set latin1 | mediumtext",
                "TEXT | utf8mb4 | TinyText | MEDIUMTEXT",
                "TEXT | latin1 | mediumtext | text",
                "TEXT | utf8mb4 | blob | blob",
                "TEXT CHARSET utf8mb4 | utf8mb4 | TEXT | TEXT",
                "TEXT CHARSET utf8mb4 | latin1 | TEXT | TEXT",
                "TEXT(20) | utf8mb4 | MEDIUMTEXT | TEXT",
                "TEXT(20) CHARSET utf8mb4 | utf8mb4 | TEXT | TINYTEXT",
                "TINYTEXT | utf8mb4 | TEXT CHARSET binary | TINYTEXT",
                "MEDIUMTEXT | utf8mb4 | TEXT | LONGTEXT",
                "LONG VARCHAR | utf8mb4 | TINYBLOB | MEDIUMBLOB",
                "LONGTEXT CHARSET utf8mb4 | latin1 | TEXT | LONGTEXT",
                "VARCHAR(63) | utf8mb4 | TEXT | TINYTEXT",
                "VARCHAR(64) | utf8mb4 | TEXT | TEXT",
                "VARCHAR(64) CHARSET gbk | utf8mb4 | TEXT | TINYTEXT",
                "VARCHAR(200) CHARSET gbk | utf8mb4 | TEXT | TEXT",
                "VARCHAR(200) CHARSET utf8mb4 | utf8mb4 | TEXT | TINYTEXT",
                "VARCHAR(16384) | utf8mb4 | TEXT | MEDIUMTEXT",
                "CHAR | utf8mb4 | TEXT | TINYTEXT",
                "INT UNSIGNED | utf8mb4 | TEXT | TINYTEXT",
                "INT(100) | utf8mb4 | TEXT | TEXT",
                "DECIMAL(61,2) | utf8mb4 | TEXT | TINYTEXT",
                "DECIMAL(62,2) | utf8mb4 | TEXT | TEXT",
                "DECIMAL(62,2) UNSIGNED | utf8mb4 | TEXT | TINYTEXT",
                "DECIMAL(62,0) | utf8mb4 | TEXT | TINYTEXT",
                "DECIMAL(63) | utf8mb4 | TEXT | TEXT",
                "BIT(64) | utf8mb4 | TEXT | TEXT",
                "DATETIME(6) | utf8mb4 | TEXT | TINYTEXT",
                "BLOB | utf8mb4 | TEXT | MEDIUMTEXT",
                "LONGBLOB | utf8mb4 | BLOB | LONGBLOB",
                "VARBINARY(100) | utf8mb4 | BLOB | TINYBLOB",
                "JSON | utf8mb4 | TEXT | LONGTEXT",
                "POINT | latin1 | BLOB | LONGBLOB",
                "VECTOR | utf8mb4 | TEXT | TEXT",
                "VECTOR(15) | utf8mb4 | TEXT | TINYTEXT",
                "ENUM('it''s','b') | utf8mb4 | TEXT | TINYTEXT",
                "ENUM('0123456789012345678901234567890123456789012345678901234567890123','b') | utf8mb4 | TEXT | TEXT",
                "SET('0123456789012345678901234567890','0123456789012345678901234567890') | utf8mb4 | TEXT | TINYTEXT",
                "SET('0123456789012345678901234567890','01234567890123456789012345678901') | utf8mb4 | TEXT | TEXT",
                "INT | utf8mb4 | LONGTEXT | LONGTEXT",
                "INT | utf8mb4 | LONGBLOB | LONGBLOB",
                "INT | utf8mb4 | TEXT(300) | TEXT(300)",
                "TEXT | utf8mb4 | VARCHAR(20) | VARCHAR(20)",
                "TEXT | utf8mb4 | TINYINT | TINYINT",
            })
    void sizesATextByWhatTheColumnWasIfItIsConvertedToo(String old, String charset, String type, String expected)
            throws IOException {
        String items = "CONVERT TO CHARACTER SET %s, CHANGE m q %s".formatted(charset, type);

        assertThat(afterAlter(SourceTraits.DEFAULT, old, items)).isEqualTo("q " + expected);
    }

    @Test
    void sizesANewTextAsItIsDefined() throws IOException {
        assertThat(afterAlter(SourceTraits.DEFAULT, "INT", "CONVERT TO CHARACTER SET utf8mb4, DROP m, ADD m TEXT"))
                .isEqualTo("m TEXT");
        assertThat(afterAlter(SourceTraits.DEFAULT, "INT", "DEFAULT CHARACTER SET utf8mb4, MODIFY m TEXT"))
                .isEqualTo("m TEXT");
    }

    @Test
    void sizesATextAsItIsDefinedOnOlderServersAndMariaDb() throws IOException {
        String items = "MODIFY m TEXT, CONVERT TO CHARACTER SET utf8mb4";
        assertThat(afterAlter(SourceTraits.DEFAULT, "INT", items)).isEqualTo("m TINYTEXT");
        assertThat(afterAlter(new SourceTraits(false, 50722, false), "INT", items))
                .isEqualTo("m TEXT");
        assertThat(afterAlter(new SourceTraits(true, 101118, false), "INT", items))
                .isEqualTo("m TEXT");
    }

    private static String afterAlter(SourceTraits source, String column, String items) throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, source);
        server.statements().apply("CREATE TABLE u (m %s) DEFAULT CHARSET = latin1".formatted(column), "shop");
        server.statements().apply("ALTER TABLE u " + items, "shop");
        return SchemaTexts.text(server.catalog().table(new TableName("shop", "u")));
    }

    @Test
    void movesTheSchemaToANewName() throws IOException {
        tracker.statements().apply("ALTER TABLE t RENAME TO other.u", "shop");

        assertThat(tracker.catalog().table(T)).isNull();
        assertThat(SchemaTexts.text(tracker.catalog().table(new TableName("other", "u"))))
                .isEqualTo("a* INT, b INT, c TEXT");
    }

    @Test
    void changesAndRenamesAtOnce() throws IOException {
        tracker.statements().apply("ALTER TABLE t RENAME AS u, ADD d INT", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(new TableName("shop", "u"))))
                .isEqualTo("a* INT, b INT, c TEXT, d INT");
    }
}
