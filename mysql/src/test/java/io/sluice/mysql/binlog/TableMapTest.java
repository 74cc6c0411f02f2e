package io.sluice.mysql.binlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableMapTest {
    private static final int DEFAULT_CHARSET = 2;
    private static final int COLUMN_CHARSET = 3;

    private static final FormatDescription MYSQL = new FormatDescription("8.0.31", false, 6, false);

    /** MySQL leaves the ids from 1024 to 2047 to collations that users define; those of MariaDB are of collations without padding. */
    @ParameterizedTest
    @CsvSource({
        "8.0.31, 255, 255",
        "8.0.31, 1029, 1029",
        "10.11.6-MariaDB-log, 45, 45",
        "10.11.6-MariaDB-log, 1070, 46",
        "11.4.2-MariaDB, 2304, 2304",
    })
    void collationsFollowTheIdsOfTheServer(String version, int written, int read) {
        FormatDescription format = new FormatDescription(version, false, 6, false);

        assertThat(TableMap.decode(tableMap(DEFAULT_CHARSET, written), format).collations())
                .containsExactly(read);
        assertThat(TableMap.decode(tableMap(COLUMN_CHARSET, written), format).collations())
                .containsExactly(read);
    }

    /**
     * As early releases of MySQL 8.0 write the column of a multi-valued index: the type of the elements, and its metadata, of which texts have three
     * bytes. Whether it has a bit of signedness is not documented, and 8.0.17 and 8.0.18 write more bytes than there are metadata. The elements are: UNSIGNED, CHAR(30),
     * DECIMAL(10, 2), DATE, TIME(3), DATETIME(6), and DOUBLE.
     */
    @ParameterizedTest
    @CsvSource({
        "14, 08",
        "14, 0f780000",
        "14, f60a02",
        "14, 0a",
        "14, 0e",
        "14, 1303",
        "14, 1206",
        "14, 0508",
        "f4, 08",
        "f4, 0f780000",
    })
    void anArrayIsPassedOver(String type, String metadata) {
        FormatDescription format = new FormatDescription("8.0.18", false, 6, false);
        ByteWriter out = new ByteWriter(64);
        out.write(new byte[] {1, 0, 0, 0, 0, 0, 1, 0});
        text(out, "s");
        text(out, "t");
        out.write(bytes("05 03 f5" + type + "0f 08")); // INT, JSON, the array, VARCHAR(20), BIGINT
        byte[] all = bytes("04" + metadata + "5000" + "0000");
        out.writeByte(all.length);
        out.write(all);
        out.write(bytes("1e 01 01 40")); // those that may be NULL; signedness: the second number is unsigned
        out.write(bytes("02 01 2d")); // the usual collation

        TableMap map = TableMap.decode(new EventBody(out.array(), 0, out.size()), format);

        assertThat(map.types())
                .containsExactly(
                        ColumnCode.LONG,
                        ColumnCode.JSON,
                        ColumnCode.TYPED_ARRAY,
                        ColumnCode.VARCHAR,
                        ColumnCode.LONGLONG);
        assertThat(map.metadata()).containsExactly(0, 4, bytes(metadata)[0] & 0xFF, 80, 0);
        boolean isOfNumbers = ColumnCode.isNumeric(map.metadata()[2]);
        if (isOfNumbers) { // which may have a bit of signedness, or none
            assertThat(map.unsigned()).isNull();
        } else {
            assertThat(map.unsigned()).containsExactly(false, false, false, false, true);
        }
        if (metadata.startsWith("0f")) { // which may have a collation, or none
            assertThat(map.collations()).isNull();
        } else {
            assertThat(map.collations()).containsExactly(0, 0, 0, 45, 0);
        }
        TableMap logged = map.withoutArrays();
        assertThat(logged.types())
                .containsExactly(ColumnCode.LONG, ColumnCode.JSON, ColumnCode.VARCHAR, ColumnCode.LONGLONG);
        assertThat(logged.metadata()).containsExactly(0, 4, 80, 0);
        if (!isOfNumbers) {
            assertThat(logged.unsigned()).containsExactly(false, false, false, true);
        }
    }

    /** {@code CHAR(100)} and {@code CHAR(255)} in utf8mb4 have more than 255 bytes: two bits of the length are in the type, complemented. */
    @ParameterizedTest
    @CsvSource({"fe50, 80", "feff, 255", "ee90, 400", "de58, 600", "cefc, 1020"})
    void theLengthOfALongTextIsInItsTypeToo(String metadata, int length) {
        TableMap map = TableMap.decode(tableMap("fe", metadata, ""), MYSQL);

        assertThat(map.types()).containsExactly(ColumnCode.STRING);
        assertThat(map.metadata()).containsExactly(length);
    }

    /** {@code INT, YEAR, BIGINT UNSIGNED, DECIMAL(10,2) UNSIGNED}. */
    @Test
    void aYearHasABitOfSignednessOnServersWhereThatIsCertain() {
        EventBody body = tableMap("03 0d 08 f6", "0a02", "01 01 30");
        assertThat(TableMap.decode(body, MYSQL).unsigned()).containsExactly(false, false, true, true);

        body = tableMap("03 0d 08 f6", "0a02", "01 01 30");
        assertThat(TableMap.decode(body, new FormatDescription("8.0.28", false, 6, false))
                        .unsigned())
                .isNull();
    }

    /** {@code VARCHAR, INT, VECTOR, GEOMETRY, VARCHAR}: the third one with characters has another collation than the others. */
    @ParameterizedTest
    @CsvSource({
        "9.1.0, '255, 0, 255, 0, 8'",
        "11.8.3-MariaDB, '255, 0, 255, 8, 255'",
    })
    void collationsAreCountedByTheColumnsThatHaveCharacters(String version, String collations) {
        FormatDescription format = new FormatDescription(version, false, 6, false);

        TableMap map = TableMap.decode(tableMap("0f 03 f2 ff 0f", "4000 04 04 4000", "02 05 fcff00 02 08"), format);

        assertThat(Arrays.toString(map.collations())).isEqualTo("[" + collations + "]");
    }

    /** {@code VARCHAR, an array, VARCHAR}. */
    @Test
    void withoutArraysCollationsAreThoseOfTheOtherColumns() {
        TableMap map = TableMap.decode(tableMap("0f 14 0f", "4000 08 4000", "03 02 08 2d"), MYSQL);

        assertThat(map.collations()).containsExactly(8, 0, 45);
        assertThat(map.withoutArrays().collations()).containsExactly(8, 45);
    }

    /** {@code a INT, b ENUM('x','é') CHARSET latin1, c VARCHAR(16), d SET('ю') CHARSET utf8mb4, e ENUM(x'ff') CHARSET binary}. */
    @Test
    void namesMembersAndKeys() {
        TableMap map = TableMap.decode(
                tableMap(
                        "03 fe 0f fe fe",
                        "f701 4000 f801 f701",
                        "04 0a 0161 0162 0163 0164 0165" // names
                                + "05 04 01 02 d18e" // members of the SET
                                + "06 08 02 0178 01e9 01 01ff" // and of the ENUM columns
                                + "09 04 00 00 02 0a" // key: a, and 10 characters of c
                                + "0a 05 08 01 2d 02 3f"), // collations of members: latin1, but of the second and third
                // one
                MYSQL);

        FullMetadata full = Objects.requireNonNull(map.full());
        assertThat(full.names()).containsExactly("a", "b", "c", "d", "e");
        assertThat(full.keys()).containsExactly(true, false, true, false, false);
        assertThat(full.members())
                .containsExactly(null, List.of("x", "\u00e9"), null, List.of("\u044e"), List.of("\u00ff"));
    }

    /** Servers write the members of binary columns in UTF-8 if they were written as texts. */
    @Test
    void membersOfBinaryColumnsMayBeTexts() {
        TableMap map = TableMap.decode(tableMap("fe", "f701", "04 02 0161" + "06 04 01 02 d18e" + "0b 01 3f"), MYSQL);

        assertThat(Objects.requireNonNull(map.full()).members()).containsExactly(List.of("\u044e"));
    }

    /** The event of a table {@code s.t}. */
    private static EventBody tableMap(String types, String metadata, String optional) {
        ByteWriter out = new ByteWriter(64);
        out.write(new byte[] {1, 0, 0, 0, 0, 0, 1, 0});
        text(out, "s");
        text(out, "t");
        byte[] codes = bytes(types);
        out.writeByte(codes.length);
        out.write(codes);
        byte[] all = bytes(metadata);
        out.writeByte(all.length);
        out.write(all);
        out.writeByte(0xFF); // all may be NULL
        out.write(bytes(optional));
        return new EventBody(out.array(), 0, out.size());
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    /** Of a table with one {@code VARCHAR(64)}. */
    private static EventBody tableMap(int field, int collation) {
        ByteWriter out = new ByteWriter(64);
        out.write(new byte[] {1, 0, 0, 0, 0, 0, 1, 0});
        text(out, "s");
        text(out, "t");
        out.write(new byte[] {1, (byte) ColumnCode.VARCHAR, 2, 0, 1, 1});
        out.write(new byte[] {(byte) field, 3, (byte) 0xFC, (byte) collation, (byte) (collation >> 8)});
        return new EventBody(out.array(), 0, out.size());
    }

    private static void text(ByteWriter out, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        out.write(new byte[] {(byte) bytes.length});
        out.write(bytes);
        out.write(new byte[] {0});
    }
}
