package io.sluice.schema.canal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowStatementTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "-",
            value = {
                "INSERT INTO a VALUES (1)                        ; s ; a",
                "insert ignore a select 1                        ; s ; a",
                "REPLACE LOW_PRIORITY INTO `t`.`b` VALUES (1)    ; t ; b",
                "/* a tool */ UPDATE t.a SET id = 1              ; t ; a",
                "DELETE FROM `a`                                 ; s ; a",
                "WITH x AS (SELECT 1) DELETE FROM a WHERE id = 1 ; s ; a",
                "SELECT `t`.`f`(1)                               ; s ; -",
                "DO f(1)                                         ; s ; -",
            })
    void aStatementThatChangesRowsHasItsFirstTable(String sql, String schema, String table) {
        assertThat(RowStatement.changesOf(sql, "s")).singleElement().satisfies(change -> {
            assertThat(change.ddl()).isFalse();
            assertThat(change.schema()).isEqualTo(schema);
            assertThat(change.table()).isEqualTo(table);
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "UPDATE a x JOIN t.b y ON x.id = y.id SET y.v = 1                      ; t.b",
                "UPDATE a, b SET a.v = b.v WHERE a.id = b.id                           ; s.a",
                "UPDATE a, b SET a.v = (1, 2), B.w = f(a.v, 3), a.w = 1 ORDER BY 1, 2  ; s.a s.b",
                "UPDATE tmp AS t JOIN o USING (id) SET t.`total` = o.total             ; s.tmp",
                "UPDATE tmp PARTITION (p0) `t` JOIN t.o ON 1 SET t.o.total = t.total   ; t.o",
                "UPDATE a LEFT JOIN (b, `t`.`c`) USING (id) SET v = 1                  ; s.a s.b t.c",
                "UPDATE a JOIN b SET a.v = 1, w = 2                                    ; s.a s.b",
                "UPDATE a JOIN b SET unknown.v = 1                                     ; s.a s.b",
                "UPDATE (a JOIN (SELECT 1 id, 2 v FROM n) q ON a.id = q.id) SET v=1    ; s.a",
                "UPDATE a USE INDEX FOR JOIN (i) JOIN b FORCE KEY FOR JOIN (k) SET v=1 ; s.a s.b",
                "WITH q AS (SELECT 1), r (id) AS (SELECT 2) UPDATE a JOIN q JOIN R SET v=1 ; s.a",
                "UPDATE a PARTITION (p0) AS x SET v = 1, w = 2                         ; s.a",
                "UPDATE a FOR PORTION OF p FROM '2030-01-01' TO '2031-01-01' SET v = 1 ; s.a",
                "DELETE y FROM a x JOIN b y ON x.id = y.id WHERE x.id = 1              ; s.b",
                "DELETE t FROM tmp t JOIN o ON t.id = o.id                             ; s.tmp",
                "DELETE QUICK t.a.*, b FROM t.a INNER JOIN b JOIN c                    ; t.a s.b",
                "DELETE b.* FROM a JOIN b                                              ; s.b",
                "DELETE FROM a, b USING a JOIN b STRAIGHT_JOIN c WHERE a.id = b.id     ; s.a s.b",
                "DELETE FROM x USING t.a AS x NATURAL JOIN b                           ; t.a",
                "DELETE FROM t.1a                                                      ; t.1a",
                "DELETE unknown FROM a JOIN b                                          ; s.a s.b",
                "DELETE FROM a WHERE id IN (SELECT id FROM b)                          ; s.a",
                "DELETE FROM a AS x WHERE x.id IN (SELECT id FROM b)                   ; s.a",
                "DELETE FROM a FOR PORTION OF p FROM CURRENT_DATE TO '2030-01-01'      ; s.a",
                "DELETE FROM a PARTITION (p0) ORDER BY id LIMIT 1                      ; s.a",
            })
    void aJoinMayChangeTheTablesThatItNames(String sql, String tables) {
        assertThat(RowStatement.changesOf(sql, "s"))
                .extracting(change -> change.schema() + "." + change.table())
                .containsExactly(tables.split(" "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE a AS SELECT 1",
                "CREATE TABLE s.a SELECT * FROM b",
                "CREATE OR REPLACE TABLE a (id int PRIMARY KEY) ENGINE=InnoDB IGNORE SELECT 1 id",
                "create table if not exists `a` (select 1)",
                "CREATE TABLE a AS WITH q AS (SELECT 1) SELECT * FROM q",
                "CREATE TABLE a TABLE b",
            })
    void aTableThatIsCreatedFromAQueryGetsRows(String sql) {
        assertThat(RowStatement.changesOf(sql, "s")).singleElement().satisfies(change -> {
            assertThat(change.schema()).isEqualTo("s");
            assertThat(change.table()).isEqualTo("a");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE a (id int)",
                "CREATE TABLE a (id int) START TRANSACTION",
                "CREATE TABLE a (id int DEFAULT 1 COMMENT 'as select 1')",
                "CREATE TABLE a LIKE b",
                "CREATE TABLE a (LIKE b)",
                "CREATE TEMPORARY TABLE a AS SELECT 1",
                "TRUNCATE TABLE a",
                "DROP TABLE a",
                "GRANT SELECT ON *.* TO u",
                "FLUSH PRIVILEGES",
                "ANALYZE TABLE a",
                "CREATE OR REPLACE VIEW v AS SELECT 1",
                "",
            })
    void othersChangeNone(String sql) {
        assertThat(RowStatement.changesOf(sql, "s")).isEmpty();
    }
}
