package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

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
