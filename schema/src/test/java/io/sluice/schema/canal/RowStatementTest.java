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
        StatementChange change = RowStatement.changeOf(sql, "s");

        assertThat(change).isNotNull();
        assertThat(change.ddl()).isFalse();
        assertThat(change.schema()).isEqualTo(schema);
        assertThat(change.table()).isEqualTo(table);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE TABLE a (id int)",
                "TRUNCATE TABLE a",
                "DROP TABLE a",
                "GRANT SELECT ON *.* TO u",
                "FLUSH PRIVILEGES",
                "ANALYZE TABLE a",
                "CREATE OR REPLACE VIEW v AS SELECT 1",
                "",
            })
    void othersChangeNone(String sql) {
        assertThat(RowStatement.changeOf(sql, "s")).isNull();
    }
}
