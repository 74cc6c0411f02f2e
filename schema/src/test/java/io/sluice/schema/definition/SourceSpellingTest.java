package io.sluice.schema.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.TableName;
import io.sluice.schema.table.TableSchema;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Types as {@code show create table} has them. */
class SourceSpellingTest {
    private static final SourceTraits BEFORE_8_0_19 = new SourceTraits(false, 80018, false);
    private static final SourceTraits SINCE_8_0_19 = new SourceTraits(false, 80019, false);
    private static final SourceTraits MARIADB = new SourceTraits(true, 101100, false);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "INT | int(11) | int | int(11)",
                "INT(5) UNSIGNED | int(5) unsigned | int unsigned | int(5) unsigned",
                "integer unsigned | int(10) unsigned | int unsigned | int(10) unsigned",
                "INT UNSIGNED ZEROFILL | int(10) unsigned zerofill | int(10) unsigned zerofill | int(10) unsigned zerofill",
                "TINYINT | tinyint(4) | tinyint | tinyint(4)",
                "TINYINT(1) | tinyint(1) | tinyint(1) | tinyint(1)",
                "TINYINT(1) UNSIGNED | tinyint(1) unsigned | tinyint unsigned | tinyint(1) unsigned",
                "BOOL | tinyint(1) | tinyint(1) | tinyint(1)",
                "SERIAL | bigint(20) unsigned | bigint unsigned | bigint(20) unsigned",
                "YEAR | year(4) | year | year(4)",
                "NUMERIC | decimal(10,0) | decimal(10,0) | decimal(10,0)",
                "DECIMAL(5) | decimal(5,0) | decimal(5,0) | decimal(5,0)",
                "DEC(5,2) UNSIGNED | decimal(5,2) unsigned | decimal(5,2) unsigned | decimal(5,2) unsigned",
                "FLOAT(7) | float | float | float",
                "DOUBLE PRECISION | double | double | double",
                "DATETIME(0) | datetime | datetime | datetime",
                "TIMESTAMP(3) | timestamp(3) | timestamp(3) | timestamp(3)",
                "CHAR | char(1) | char(1) | char(1)",
                "CHARACTER VARYING(9) | varchar(9) | varchar(9) | varchar(9)",
                "LONG CHAR VARYING | mediumtext | mediumtext | mediumtext",
                "TEXT(63) | tinytext | tinytext | tinytext",
                "TEXT(64) | text | text | text",
                "ENUM ('A','b') | enum('A','b') | enum('A','b') | enum('A','b')",
            })
    void isThatOfTheServer(String written, String before8019, String since8019, String mariaDb) {
        assertThat(spelled(written, BEFORE_8_0_19, "utf8mb4")).isEqualTo(before8019);
        assertThat(spelled(written, SINCE_8_0_19, "utf8mb4")).isEqualTo(since8019);
        assertThat(spelled(written, MARIADB, "utf8mb4")).isEqualTo(mariaDb);
    }

    @ParameterizedTest
    @CsvSource({"CHAR(4), binary(4)", "VARCHAR(4), varbinary(4)", "TEXT, blob", "TEXT(300), blob", "TEXT(200), tinyblob"
    })
    void textsOfBytesAreBinary(String written, String spelled) {
        assertThat(spelled(written, SINCE_8_0_19, "binary")).isEqualTo(spelled);
    }

    private static String spelled(String type, SourceTraits source, String charset) {
        ColumnSchema column = new ColumnSchema("c", type, false, false, charset);
        TableSchema table = new TableSchema(new TableName("s", "t"), List.of(column), null);
        return new SourceSpelling(source).of(table).columns().get(0).mysqlType();
    }
}
