package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bodies of events of MySQL 8.0.31 and MariaDB 11.8. */
class QueryEventTest {
    /** {@code alter table pr.q change z y varchar(10)}, in a procedure that has used a temporary table. */
    private static final String PERMANENT =
            "0a000000000000000200002d000000000000012000a04500000000060373746404ff00ff00ff000c01707200111900000000"
                    + "00000012ff001300707200616c746572207461626c652070722e71206368616e6765207a2079207661726368617228313029";

    /** {@code alter table pr.q change a b int}, of a temporary table. */
    private static final String TEMPORARY =
            "0b0000000000000000000024000000000000012000a04500000000060373746404ff00ff00ff000c0170720012ff00130000"
                    + "616c746572207461626c652070722e71206368616e67652061206220696e74";

    /**
     * {@code alter table t1 add q varchar(1) charset latin1} of a client in EUC-KR, on MariaDB 11.8: a statement that names a character set without a collation
     * states the session's {@code character_set_collations} before its character sets.
     */
    private static final String WITH_COLLATIONS =
            "06000000000000000200003900000000000101000020540000000006037374648305210000082300000a2d000009360000"
                    + "0b3c00000c04130013000009816400000000000000643100616c746572207461626c6520743120616464207120766172636861722831292063686172736574206c6174696e31";

    private static QueryEvent decode(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return QueryEvent.decode(new EventBody(bytes, 0, bytes.length));
    }

    @Test
    void onlyADdlOfAPermanentTableIsAtomic() {
        assertThat(decode(PERMANENT).isAtomicDdl()).isTrue();
        assertThat(decode(TEMPORARY).isAtomicDdl()).isFalse();
        assertThat(decode(PERMANENT).withSql(decode(TEMPORARY).sql()).isAtomicDdl())
                .isTrue();
    }

    @Test
    void statesTheDefaultCollationsOfItsSession() {
        assertThat(decode(PERMANENT).serverCollation()).isEqualTo(255);
        assertThat(decode(PERMANENT).schemaCollation()).as("not set").isZero();

        QueryEvent set = decode(
                PERMANENT.replace("0200002d00", "0200003000").replace("04ff00ff00ff000c", "04ff003f0008000807000c"));
        assertThat(set.clientCollation()).isEqualTo(255);
        assertThat(set.connectionCollation()).isEqualTo(63);
        assertThat(set.serverCollation()).isEqualTo(8);
        assertThat(set.schemaCollation()).isEqualTo(7);
        assertThat(set.isAtomicDdl()).isTrue();
    }

    /** As each server of a pair that replicates both ways has them: the increment and the offset are before the character sets. */
    @Test
    void statesTheCharacterSetsOfASessionWithItsOwnAutoIncrement() {
        QueryEvent event = decode(
                PERMANENT.replace("0200002d00", "0200003200").replace("04ff00ff00ff00", "030200010004130013000800"));

        assertThat(event.clientCollation()).isEqualTo(19);
        assertThat(event.serverCollation()).isEqualTo(8);
        assertThat(event.isAtomicDdl()).isTrue();
        assertThat(event.sql().remaining()).isEqualTo(decode(PERMANENT).sql().remaining());
    }

    @Test
    void statesTheCharacterSetsOfASessionWithCollationsOfCharacterSets() {
        QueryEvent event = decode(WITH_COLLATIONS);

        assertThat(event.clientCollation()).isEqualTo(19);
        assertThat(event.serverCollation()).isEqualTo(0x900);
        assertThat(event.schemaCollation()).as("not set").isZero();
        assertThat(event.sqlMode()).isEqualTo(0x5420_0000L);

        QueryEvent set =
                decode(WITH_COLLATIONS.replace("0200003900", "0200003c00").replace("00098164", "00090807008164"));
        assertThat(set.schemaCollation()).isEqualTo(7);
    }

    /** As old servers have them: the catalog with its NUL, too. */
    @Test
    void passesOverWhatIsBeforeTheCharacterSets() {
        QueryEvent event = decode(withStatus("0001000000" + "010000a04500000000" + "0203737464" + "00" + "0302000100"
                + "0603737464" + "041300" + "3f00" + "0800" + "0807" + "00"));

        assertThat(event.sqlMode()).isEqualTo(0x45a0_0000L);
        assertThat(event.clientCollation()).isEqualTo(19);
        assertThat(event.connectionCollation()).isEqualTo(63);
        assertThat(event.serverCollation()).isEqualTo(8);
        assertThat(event.schemaCollation()).isEqualTo(7);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "time zone, 050653595354454d",
        "names of days, 070001",
        "tables for update, 090102030405060708",
        "source data, 0a01020304",
        "invoker, 0b04726f6f74096c6f63616c686f7374",
        "invoker without host, 0b04726f6f7400",
        "schemas, 0c0261006263" + "00",
        "no schemas, 0c00",
        "too many schemas, 0cfe",
        "microseconds, 0d010203",
        "explicit defaults of timestamps, 1001",
    })
    void passesOverWhatIsBetweenTheCharacterSetsAndTheDefaultOfTheSchema(String name, String variable) {
        QueryEvent event = decode(withStatus("04ff003f000800" + variable + "080700" + "111122334455667788"));

        assertThat(event.schemaCollation()).as(name).isEqualTo(7);
        assertThat(event.isAtomicDdl()).as(name).isTrue();
    }

    @Test
    void namesOfSchemasAreInUtf8() {
        assertThat(decode(withStatus("")).schema()).isEqualTo("p\u00e9");
    }

    /** {@code truncate t} in the schema {@code pé}. */
    private static String withStatus(String variables) {
        return "0a00000000000000" + "03" + "0000" + "%02x00".formatted(variables.length() / 2) + variables + "70c3a9"
                + "00" + "7472756e636174652074";
    }

    /** Servers may have variables of their own, whose lengths are not known. */
    @Test
    void ignoresVariablesThatCannotBeRead() {
        QueryEvent event = decode(PERMANENT);
        EventBody status = event.moreStatus();
        byte[] all = Arrays.copyOfRange(status.array(), status.offset(), status.end());
        for (int at = 0; at < all.length; at++) {
            for (int code = 0; code < 256; code++) {
                byte[] other = Arrays.copyOf(all, at + 1);
                other[at] = (byte) code;
                QueryEvent cut = new QueryEvent(
                        event.threadId(),
                        event.schemaText(),
                        event.clientCollation(),
                        event.connectionCollation(),
                        event.serverCollation(),
                        event.sqlMode(),
                        new EventBody(other, 0, other.length),
                        event.sql());
                assertThatCode(cut::isAtomicDdl).doesNotThrowAnyException();
                assertThatCode(cut::schemaCollation).doesNotThrowAnyException();
            }
        }
    }
}
