package io.sluice.schema.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.sql.SourceTraits;
import io.sluice.schema.table.ColumnSchema;
import io.sluice.schema.table.SchemaTexts;
import io.sluice.schema.table.TableName;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CreateTableTest {
    private static final TableName T = new TableName("shop", "t");

    private final SchemaTracker tracker = new SchemaTracker(table -> null);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "int | int",
                "Integer Unsigned | Integer unsigned",
                "INT(5) ZEROFILL | INT(5) unsigned zerofill",
                "int ( 11 ) unsigned | int(11) unsigned",
                "BIGINT SIGNED NOT NULL | BIGINT",
                "NUMERIC( 8 , 3 ) | NUMERIC(8,3)",
                "DOUBLE   PRECISION | DOUBLE PRECISION",
                "Float(24) | Float(24)",
                "Float(25) Unsigned | double(25) unsigned",
                "FLOAT(30,3) | FLOAT(30,3)",
                "Float4(24) | Float4(24)",
                "FLOAT4(25) Unsigned | double(25) unsigned",
                "FLOAT4(30,3) | FLOAT4(30,3)",
                "BIT(0) | BIT(1)",
                "NATIONAL VARCHAR(7) | NATIONAL VARCHAR(7)",
                "NATIONAL CHAR VARYING(7) | NATIONAL CHAR VARYING(7)",
                "NCHAR(3) | NCHAR(3)",
                "CHARACTER VARYING(12) | CHARACTER VARYING(12)",
                "CHAR(10) BYTE | CHAR(10)",
                "LONG VARCHAR | LONG VARCHAR",
                "LONG | LONG",
                "SERIAL | SERIAL",
                "BIGINT UNSIGNED SERIAL DEFAULT VALUE | BIGINT unsigned",
                "enum('a' , \"b\",'it''s','back\\\\slash') CHARSET gbk | enum('a','b','it''s','back\\slash')",
                "SET('x','y') COLLATE utf8mb4_bin | SET('x','y')",
                "VARCHAR(9) CHARACTER SET latin1 COLLATE latin1_bin DEFAULT 'key' | VARCHAR(9)",
                "DATETIME(3) DEFAULT CURRENT_TIMESTAMP(3) ON UPDATE CURRENT_TIMESTAMP(3) | DATETIME(3)",
                "JSON DEFAULT (JSON_ARRAY('unsigned', 1)) | JSON",
                "INT AS (a + 1) STORED UNIQUE KEY COMMENT 'primary key' | INT",
                "POINT NOT NULL /*!80003 SRID 4326 */ | POINT",
                "int DEFAULT '5' /*!80023 INVISIBLE */ | int",
                "INT CHECK (a > 0) REFERENCES o (id) ON DELETE SET DEFAULT | INT",
                "TEXT COMPRESSED | TEXT",
                "VECTOR(3) | VECTOR(3)",
                "UUID | UUID",
            })
    void spellsTypesAsTheirAuthorDid(String definition, String expected) throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT, b " + definition + ", c INT)", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT, b " + expected + ", c INT");
    }

    /** As MariaDB makes of a type for bytes. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "longblob collate utf8mb4_general_ci | longtext | utf8mb4",
                "blob(256) collate uca1400_ai_ci | text(256) | ",
                "varbinary(9) collate uca1400_ai_ci | varchar(9) | ",
                "TINYBLOB NOT NULL COLLATE latin1_bin | TINYTEXT | latin1",
                "Blob DEFAULT 'x' COLLATE 'utf8mb4_bin' | TEXT | utf8mb4",
                "blob(5000000) COLLATE latin1_bin | text(5000000) | latin1",
                "MEDIUMBLOB COMPRESSED COLLATE gbk_bin | MEDIUMTEXT | gbk",
                "LONG VARBINARY COLLATE latin1_bin | LONG VARCHAR | latin1",
                "VARBINARY(10) COLLATE utf8mb4_bin | VARCHAR(10) | utf8mb4",
                "binary collate latin1_bin | char | latin1",
                "binary(3) collate latin1_bin | char(3) | latin1",
                "blob collate binary | blob | ",
                "CHAR(5) BYTE | CHAR(5) | binary",
                "text collate binary | text | binary",
                "BLOB COMMENT 'collate utf8mb4_bin' | BLOB | ",
            })
    void aTypeForBytesWithACollationOfTextIsOneForText(String definition, String type, @Nullable String charset)
            throws IOException {
        SchemaTracker mariaDb = new SchemaTracker(table -> null, new SourceTraits(true, 110800, false));
        mariaDb.statements().apply("CREATE TABLE t (a INT, b " + definition + ")", "shop");

        ColumnSchema column =
                Objects.requireNonNull(mariaDb.catalog().table(T)).columns().get(1);
        assertThat(column.mysqlType()).isEqualTo(type);
        assertThat(column.charset()).isEqualTo(charset);
    }

    /** What MySQL 8.0 and MariaDB show of these definitions. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "enum(0x61, 'b') | enum('a','b')",
                "ENUM(x'61',B'01100010') | ENUM('a','b')",
                "set(0x61,0b1100010 , X'63') | set('a','b','c')",
                "enum(0x2C27,'b') | enum(',''','b')",
                "enum(0x6162636,'b') | enum('\u0006\u0016&6','b')",
                "enum(x'',b'1') | enum('','\u0001')",
                "enum(0xE794B2,'b') | enum('甲','b')",
                "enum(0xC4,'b') charset latin1 | enum('Ä','b')",
                "set(0x8140,'x') collate gbk_bin | set('丂','x')",
                "enum(0x61,b'1100001100011') charset ucs2 | enum('a','ᡣ')",
                "enum(0x61,0x0062) charset utf16 | enum('a','b')",
                "enum(0x61,'b') charset utf32 | enum('a','b')",
                "enum(0x61) charset utf16le | enum('愀')",
                "enum(x'e794b2',x'ff') charset binary | enum('甲','ÿ')",
                "enum(0x61FF62) | enum('a\uFFFDb')",
                "enum('a' /* 'x' */, /*!50000 'y', */ /*!99999 'z', */ 'b' /* ' */) | enum('a','y','b')",
            })
    void readsMembersOfEveryForm(String definition, String expected) throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT, b " + definition + ") CHARSET utf8mb4", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("a INT, b " + expected);
    }

    /** MariaDB has collations that are named without a character set: that of the column, table or schema is meant. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "b TEXT COLLATE uca1400_ai_ci) | -",
                "b TEXT) COLLATE uca1400_swedish_ai_ci | -",
                "b TEXT) COLLATE=utf8mb4_uca1400_ai_ci | utf8mb4",
                "b TEXT CHARACTER SET utf16 COLLATE uca1400_as_ci) CHARSET ucs2 | utf16",
                "b TEXT COLLATE uca1400_as_ci) CHARSET ucs2 | ucs2",
                "b TEXT COLLATE gbk_bin) CHARSET ucs2 | gbk",
                "b TEXT) COLLATE binary | binary",
            })
    void aCollationImpliesTheCharacterSetThatItIsNamedFor(String rest, String charset) throws IOException {
        tracker.statements().apply("CREATE TABLE t (" + rest, "shop");

        assertThat(tracker.catalog().table(T).columns().get(0).charset()).isEqualTo(charset);
    }

    @Test
    void readsMembersOfBytesInAnUnknownCharsetOnlyIfTheyAreAscii() throws IOException {
        tracker.statements().apply("CREATE TABLE t (b ENUM(0x61)); CREATE TABLE u (b ENUM(0xC4))", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo("b ENUM('a')");
        assertThat(tracker.catalog().table(new TableName("shop", "u"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1, 2", "N'a'", "'a' 'b'", "x'6g'", "b'2'", "now()", "'a',", ""})
    void readsNoOtherMembers(String members) throws IOException {
        tracker.statements().apply("CREATE TABLE t (b ENUM(%s))".formatted(members), "shop");

        assertThat(tracker.catalog().table(T)).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "(a INT PRIMARY KEY, b INT) | a* INT, b INT",
                "(a INT KEY, b INT UNIQUE KEY) | a* INT, b INT",
                "(PRIMARY KEY (b, a), a INT, b INT) | a* INT, b* INT",
                "(KEY (a), a INT, CONSTRAINT pk PRIMARY KEY USING BTREE (A(5) DESC)) | a* INT",
                "(a INT, CONSTRAINT PRIMARY KEY (a), INDEX ((a + 1), a), FULLTEXT KEY f (a)) | a* INT",
                "(`primary` INT, `key` INT, status INT, CHECK (`key` > 1)) | primary INT, key INT, status INT",
                "(a INT, FOREIGN KEY f (a) REFERENCES o (id) ON DELETE CASCADE) PARTITION BY HASH (a) | a INT",
                "(id INT, y INT, PERIOD FOR app (b, c)) COMMENT = '(' | id INT, y INT",
                "(a INT /* , b INT */, c INT -- d, | a INT, c INT",
            })
    void readsKeysAndStepsOverOtherClauses(String body, String expected) throws IOException {
        String closed = body.contains("--") ? body + "\n)" : body;
        tracker.statements().apply("CREATE TABLE t " + closed, "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T))).isEqualTo(expected);
    }

    @Test
    void findsTheCharsetOfEachColumn() throws IOException {
        tracker.statements().apply("CREATE DATABASE shop DEFAULT COLLATE gbk_bin", "");
        tracker.statements().apply("""
                CREATE TABLE t (a CHAR(1), b TEXT COLLATE big5_bin, c ENUM('x') CHARACTER SET Latin1, d VARCHAR(2) ASCII,
                  e CHAR(3) UNICODE, f CHAR(4) BYTE, g NCHAR(5), h INT, i BLOB, j VARCHAR(6) CHARSET binary,
                  k VARCHAR(7) COLLATE binary)
                """, "shop");

        assertThat(SchemaTexts.charsets(tracker.catalog().table(T)))
                .isEqualTo("a gbk, b big5, c latin1, d latin1, e ucs2, f binary, g utf8mb3, j binary, k binary");
    }

    @Test
    void prefersTheCharsetOfTheTableToThatOfTheSchema() throws IOException {
        tracker.statements().apply("CREATE DATABASE shop CHARACTER SET gbk", "");
        tracker.statements().apply("ALTER DATABASE shop COLLATE big5_bin", "");
        tracker.statements()
                .apply("CREATE TABLE t (a CHAR(1)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin", "shop");
        tracker.statements().apply("CREATE TABLE u (a CHAR(1))", "shop");

        assertThat(SchemaTexts.charsets(tracker.catalog().table(T))).isEqualTo("a utf8mb4");
        assertThat(SchemaTexts.charsets(tracker.catalog().table(new TableName("shop", "u"))))
                .isEqualTo("a big5");
    }

    @Test
    void marksUnsignedTypesWhateverTheirText() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a SERIAL, b INT ZEROFILL, c INT UNSIGNED, d INT)", "shop");

        assertThat(tracker.catalog().table(T).columns())
                .extracting(ColumnSchema::unsigned)
                .containsExactly(true, true, true, false);
    }

    @Test
    void addsTheColumnsOfSystemVersioning() throws IOException {
        tracker.statements().apply("CREATE TABLE t (a INT) WITH SYSTEM VERSIONING", "shop");

        assertThat(SchemaTexts.text(tracker.catalog().table(T)))
                .isEqualTo("a INT, row_start timestamp(6), row_end timestamp(6)");
    }

    /** The columns of a system's period are in all row images. */
    @Test
    void columnsThatAreComputedAreGeneratedAlone() throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, new SourceTraits(true, 110800, false));
        TableName name = new TableName("shop", "u");

        server.statements()
                .apply(
                        "CREATE TABLE u (a INT, g INT AS (a + 1), h INT GENERATED ALWAYS AS (a) STORED,"
                                + " s TIMESTAMP(6) GENERATED ALWAYS AS ROW START, e TIMESTAMP(6) AS ROW END,"
                                + " PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING",
                        "shop");

        assertThat(server.catalog().table(name).columns())
                .extracting(column -> column.name() + " " + column.generated())
                .containsExactly("a false", "g true", "h true", "s false", "e false");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "VECTOR INDEX (v) | id* INT, v VECTOR(3)",
                "VECTOR KEY i (v) | id* INT, v VECTOR(3)",
                "vector VECTOR(2) | id* INT, v VECTOR(3), vector VECTOR(2)",
            })
    void anIndexOfVectorsIsNoColumn(String element, String expected) throws IOException {
        SchemaTracker server = new SchemaTracker(table -> null, new SourceTraits(true, 110700, false));

        server.statements()
                .apply("CREATE TABLE shop.1 (id INT PRIMARY KEY, v VECTOR(3) NOT NULL, %s)".formatted(element), "");

        assertThat(SchemaTexts.text(server.catalog().table(new TableName("shop", "1"))))
                .isEqualTo(expected);
    }
}
