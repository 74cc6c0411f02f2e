package io.sluice.schema.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.schema.sql.Token.Kind;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlLexerTest {
    private static final SourceTraits MARIADB = new SourceTraits(true, 101118, false);

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "a /* b */ c | a c",
                "a/*b*/c | a c",
                "a -- b | a",
                "a -- | a",
                "'5\\%' '\\_x' '\\x' | 5\\% \\_x x",
                "a --b | a - - b",
                "5--3 | 5 - - 3",
                "a # b | a",
                "/* never closed | ~~",
                "/*! a */ b | a b",
                "/*!50100 a */ b | a b",
                "/*!80031 a */ b | a b",
                "/*!080031 a */ b | 1 a b",
                "/*!500001a */ b | 1a b",
                "/*!800320 a */ b | b",
                "/*!8003 a */ b | 8003 a b",
                "/*!80032 a /* c */ d */ b | b",
                "/*!99999 a | ~~",
                "/*M! a */ b | b",
                "/*+ hint */ b | b",
                "`a``b` `c | a`b c",
                "'it''s' 'b\\'c' \"q\"\"r\" | it's b'c q\"r",
                "db.1a | db . 1a",
                "1.5e3 名 $x _y | 1.5 e3 名 $x _y",
            })
    void readsATextAsTheServerDoes(String sql, String expected) {
        assertThat(tokens(sql, SourceTraits.DEFAULT)).isEqualTo(expected);
    }

    @Test
    void endsADashCommentWithTheLine() {
        assertThat(tokens("a --\nb #c\nd", SourceTraits.DEFAULT)).isEqualTo("a b d");
    }

    @Test
    void readsSixDigitsOfAVersionWhereTheServerDoes() {
        String comments = "/*!500001a */ /*!090700 b */ /*!090700c */ /*!500001 d */ /*!090701\te */ f";

        assertThat(tokens(comments, new SourceTraits(false, 90700, false))).isEqualTo("1a b 0c f");
        assertThat(tokens(comments, MARIADB)).isEqualTo("f");
        assertThat(tokens("/*!050500a */ b", MARIADB)).isEqualTo("a b");
    }

    @Test
    void runsTheCommentsOfMariaDbForMariaDbOnly() {
        assertThat(tokens("/*M! a */ /*M!100100 b */ /*M!110100 c */ /*!50701 d */ /*!50600 e */", MARIADB))
                .isEqualTo("a b e");
        assertThat(tokens("/*M!50700 a */ /*M!80000 b */ /*M!99999 c */ /*!99999 d */ /*M!080000 e */", MARIADB))
                .isEqualTo("a b c e");
        assertThat(tokens("/*!50699 a */ /*!50700 b */ c", MARIADB)).isEqualTo("a c");
    }

    /** Every set in which the servers, of 5.7 to 9.7 and MariaDB, accept {@code select<no-break space>1}; and some in which they do not. */
    @ParameterizedTest
    @CsvSource({
        "latin1, true",
        "latin2, true",
        "latin5, true",
        "latin7, true",
        "cp1250, true",
        "cp852, true",
        "cp866, true",
        "dec8, true",
        "greek, true",
        "hebrew, true",
        "armscii8, true",
        "geostd8, true",
        "keybcs2, true",
        "cp1251, false",
        "cp1256, false",
        "cp1257, false",
        "cp850, false",
        "hp8, false",
        "koi8r, false",
        "koi8u, false",
        "macroman, false",
        "macce, false",
        "tis620, false",
        "gbk, false",
        "utf8mb3, false",
        "utf8mb4, false",
        "binary, false",
        "ascii, false"
    })
    void aNoBreakSpaceIsABlankToClientsOfSomeCharacterSets(String charset, boolean isBlank) {
        String sql = "a\u00a0b --\u00a0c\n'd\u00a0'";
        SqlMode mode = SqlMode.DEFAULT.ofClient(sql, charset, "utf8mb4");

        assertThat(tokens(sql, SourceTraits.DEFAULT, mode))
                .isEqualTo(isBlank ? "a b d\u00a0" : "a\u00a0b - - \u00a0c d\u00a0");
        assertThat(SqlMode.parse(mode.toString())).isEqualTo(mode);
    }

    @Test
    void theModeOfAStatementWithoutANoBreakSpaceIsThatOfItsSession() {
        assertThat(SqlMode.DEFAULT.ofClient("a b", "latin1", "utf8mb4")).isSameAs(SqlMode.DEFAULT);
        assertThat(SqlMode.DEFAULT.ofClient("a\u00a0b", null, "utf8mb4")).isSameAs(SqlMode.DEFAULT);
    }

    private static String tokens(String sql, SourceTraits source) {
        return tokens(sql, source, SqlMode.DEFAULT);
    }

    private static String tokens(String sql, SourceTraits source, SqlMode mode) {
        SqlLexer lexer = new SqlLexer(sql, source, mode);
        StringJoiner tokens = new StringJoiner(" ");
        for (Token token = lexer.next(); token.kind() != Kind.END; token = lexer.next()) {
            tokens.add(token.text());
        }
        return tokens.toString();
    }
}
