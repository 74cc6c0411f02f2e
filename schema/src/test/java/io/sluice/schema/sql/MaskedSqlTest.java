package io.sluice.schema.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MaskedSqlTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "create table `it's` (a int default 5, b varchar(9)) | create table `it's` (a int default 5, b varchar(9))",
                "create table t (a int comment 'x', b int comment '')| create table t (a int comment '***', b int comment '')",
                "create table t (a int comment 'it''s', b int)       | create table t (a int comment '***', b int)",
                "create table t (a int comment 'it\\'s', b int)      | create table t (a int comment '***', b int)",
                "create table t (a int comment 'a\\\\', b int)       | create table t (a int comment '***', b int)",
                "create table t (a enum('x','y') default \"x\")      | create table t (a enum('***','***') default \"***\")",
                "alter table t alter a set default x'736563'         | alter table t alter a set default x'***'",
                "alter table t alter a set default 0x736563          | alter table t alter a set default ***",
                "alter table t alter a set default _utf8mb4'x'       | alter table t alter a set default _utf8mb4'***'",
                "create user a@b identified by 'x'                   | create user a@b identified by '***'",
                "drop table t /* for 'Ann' */, u -- x                | drop table t /*****/, u --***",
                "drop table t # x                                    | drop table t #***",
                "drop table t /*!50100 , u */                        | drop table t /*!50100 , u */",
                "alter table t /*!80023 add a int default 'x' */     | alter table t /*!80023 add a int default '***' */",
                "alter table t /*M!100301 add a int default 'x' */   | alter table t /*****/",
                "create function f() returns int language javascript as $$ return 'x' $$ | create function f() returns int language javascript as $$***",
                "create function f() returns int language javascript as $a$return 1$a$   | create function f() returns int language javascript as $a$***",
                "create function f() returns int language javascript as $é$ let a = `x`; $é$ | create function f() returns int language javascript as $é$***",
            })
    void onlyTheContentOfLiteralsAndCommentsIsMasked(String sql, String shown) {
        assertThat(MaskedSql.of(sql)).isEqualTo(shown);
    }

    /** Each of them can be read so that the secret is a literal or in a comment. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // NO_BACKSLASH_ESCAPES, and not
                "create table t (a int comment 'a\\', b int comment 's3cret')",
                "create table t (a int comment 'a\\' s3cret ', b int)",
                "create table t (a int comment 'a\\\\', b int comment 's3cret', c int comment 'c\\')",
                // ANSI_QUOTES: no escapes in names
                "create table t (\"a\\\" int comment 's3cret', \"b\\\" int)",
                "create table t (a int comment \"it's s3cret\")",
                // comments that this or that server runs
                "create table t (a int /*!99999 it's not run */ comment 's3cret')",
                "create table t (a int /*!80400 comment 'a*/ s3cret' */)",
                "create table t (a int /*M!100301 comment 'a*/ s3cret' */)",
                "create table t (a int /*!50701 it's not run by MariaDB */ comment 's3cret')",
                "create table t (a int) /* it's */ comment 's3cret'",
                "create table t (a int) -- it's\n comment 's3cret'",
                "create table t (a int) # it's\n comment 's3cret'",
                "create table t (a int)--\tit's\n comment 's3cret'",
                "create table t (a int default 5--1, b int comment 's3cret')",
                // a no-break space, which is a blank to some clients
                "create table t (a int)--\u00a0it's s3cret",
                "create table t (a int)--\u00a0it's\n comment 's3cret'",
                // executable comments in one that is run
                "create table t (a int /*!50100 , b int /*!50100 comment 'a*/ s3cret' -- it's\n */)",
                "create table t (a int /*M!100100 , b int /*M!100100 comment 'a*/ s3cret' -- it's\n */)",
                "create table `it's` (a int comment 's3cret', `\"` int)",
                "create table t (a int comment 's3cret' 's3cret' \"s3cret\")",
                "create table t (a int) comment\n=\n's3\\ncret\\'s3cret'",
                "create procedure p() begin set @a = 's3cret'; set @b = \"s3cret\"; end",
                "create function f() returns int language javascript as $x$ return `s3cret` + 's3cret' $x$",
            })
    void whatMayBeALiteralIsMasked(String sql) {
        assertThat(MaskedSql.of(sql)).doesNotContain("cret").startsWith("create ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "create table t (a int comment 's3cret) | create table ***",
                "create table s3cret /* s3cret          | create table ***",
                "create table t /*!50100 s3cret 's      | create table ***",
                "alter table `s3cret                    | alter table ***",
                "'s3cret                                | ***",
                "set password = 's3cret                 | set password ***",
                "set 0x733363726574 '                   | set ***",
            })
    void ofATextThatCannotBeReadOnlyTheFirstWordsAreShown(String sql, String shown) {
        assertThat(MaskedSql.of(sql)).isEqualTo(shown);
    }

    /** It may have to be read in a hundred ways. */
    @Test
    void aVeryLongTextIsNotReadToItsEnd() {
        StringBuilder sql = new StringBuilder("create table t (a int comment 'x', ");
        for (int version = 51_000; version < 51_009; version++) {
            sql.append("/*!").append(version).append(" x*/ \\ \"s3cret\" ");
        }
        sql.append("'s3cret', s3cret ".repeat(1 << 20));

        assertThat(MaskedSql.of(sql.toString())).isEqualTo("create table ***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ";", "$", "/", "-", "0x", "''", "`", "/*!", "/**/", "/*!*/", "--"})
    void anyTextCanBeMasked(String sql) {
        assertThat(MaskedSql.of(sql)).hasSizeLessThanOrEqualTo(sql.length() + Token.MASK.length());
    }

    /** Statements of the three modes, in which what is quoted is anything. */
    @ParameterizedTest
    @ValueSource(strings = {"", "NO_BACKSLASH_ESCAPES", "ANSI_QUOTES"})
    void noPartOfALiteralOrACommentOfAnyStatementIsShown(String flags) {
        SqlMode mode = SqlMode.parse(flags);
        Random random = new Random(7);
        for (int i = 0; i < 5_000; i++) {
            String sql = "create " + pieces(random, mode, true);

            assertThat(MaskedSql.of(sql)).as(sql).doesNotContain("cret").startsWith("create");
        }
    }

    private static String pieces(Random random, SqlMode mode, boolean mayNest) {
        StringBuilder sql = new StringBuilder();
        for (int count = 1 + random.nextInt(4); count > 0; count--) {
            String any = any(random);
            String open = any.replaceAll("\\*/|/\\*", "");
            sql.append(' ')
                    .append(
                            switch (random.nextInt(mayNest ? 7 : 4)) {
                                case 0 -> quoted(any, "'", !mode.plainBackslashes());
                                case 1 ->
                                    mode.ansiQuotes()
                                            ? quoted(any.replace("s3cret", "name"), "\"", false)
                                            : quoted(any, "\"", !mode.plainBackslashes());
                                case 2 -> quoted(any.replace("s3cret", "name"), "`", false);
                                case 3 -> "word = 5,";
                                case 4 -> "/* " + open + " */";
                                case 5 -> "-- " + any + "\n";
                                default ->
                                    random.nextBoolean()
                                            ? "/*!50100 " + pieces(random, mode, false) + " */"
                                            : "/*!99999 " + open.replace("s3cret", "word") + " */";
                            });
        }
        return sql.toString();
    }

    private static String any(Random random) {
        String[] parts = {"s3cret", "s3cret", " ", "'", "\"", "`", "\\", "/*", "*/", "-- ", "#", ","};
        StringBuilder any = new StringBuilder();
        for (int count = random.nextInt(8); count > 0; count--) {
            any.append(parts[random.nextInt(parts.length)]);
        }
        return any.toString();
    }

    private static String quoted(String content, String quote, boolean escapes) {
        return quote + (escapes ? content.replace("\\", "\\\\") : content).replace(quote, quote + quote) + quote;
    }
}
