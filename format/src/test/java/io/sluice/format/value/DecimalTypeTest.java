package io.sluice.format.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.mysql.binlog.MalformedEventException;
import io.sluice.protocol.bytes.ByteWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class DecimalTypeTest {
    private static final int[] BYTES_OF_DIGITS = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 50);
    }

    /** The bytes are those of MySQL's manual page on DECIMAL, "1234567890.1234" as DECIMAL(14,4). */
    @ParameterizedTest
    @CsvSource({
        "14, 4, 810DFB38D204D2, 1234567890.1234",
        "14, 4, 7EF204C72DFB2D, -1234567890.1234",
        "10, 2, 8000000100, 1.0",
        "10, 2, 8000000105, 1.05",
        "10, 2, 7FFFFFFEFF, -1.0",
        "4, 4, 8000, 0.0",
        "10, 0, 8000000005, 5",
        "20, 10, 80 00000001 00000000 00, 1.000000000",
    })
    void writesAsCanalDoes(int precision, int scale, String hex, String text) {
        assertThat(text(new DecimalType(precision, scale, false), hex.replace(" ", "")))
                .isEqualTo(text);
    }

    @Test
    void keepsAllDigitsIfToldTo() {
        assertThat(text(new DecimalType(10, 2, true), "8000000100")).isEqualTo("1.00");
        assertThat(text(new DecimalType(4, 4, true), "8000")).isEqualTo("0.0000");
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void exactTextIsTheNumberThatWasStored(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            int precision = 1 + random.nextInt(65);
            int scale = random.nextInt(Math.min(30, precision) + 1);
            BigInteger digits = new BigInteger(random.nextInt(216) + 1, random)
                    .mod(BigInteger.TEN.pow(1 + random.nextInt(precision)));
            BigDecimal number = new BigDecimal(random.nextBoolean() ? digits : digits.negate(), scale);

            String text = text(new DecimalType(precision, scale, true), encode(number, precision, scale));

            assertThat(text).as("seed %d", seed).isEqualTo(number.toPlainString());
        }
    }

    @Test
    void refusesImpossibleShapes() {
        assertThatThrownBy(() -> new DecimalType(66, 2, false)).isInstanceOf(MalformedEventException.class);
        assertThatThrownBy(() -> new DecimalType(4, 5, false)).isInstanceOf(MalformedEventException.class);
    }

    private static String text(DecimalType type, String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        assertThat(bytes).hasSize(type.fixedLength());
        ByteWriter out = new ByteWriter(16);
        type.writeText(bytes, 0, bytes.length, out);
        return new String(out.array(), 0, out.size(), StandardCharsets.US_ASCII);
    }

    /** What MySQL stores, written from its manual's description and not from the decoder. */
    private static String encode(BigDecimal number, int precision, int scale) {
        String digits = number.unscaledValue().abs().toString();
        digits = "0".repeat(precision - digits.length()) + digits;
        String integer = digits.substring(0, precision - scale);
        String fraction = digits.substring(precision - scale);
        StringBuilder hex = new StringBuilder();
        int lead = integer.length() % 9;
        appendGroup(hex, integer.substring(0, lead));
        for (int i = lead; i < integer.length(); i += 9) {
            appendGroup(hex, integer.substring(i, i + 9));
        }
        for (int i = 0; i < fraction.length(); i += 9) {
            appendGroup(hex, fraction.substring(i, Math.min(i + 9, fraction.length())));
        }
        byte[] bytes = HexFormat.of().parseHex(hex);
        bytes[0] ^= (byte) 0x80;
        if (number.signum() < 0) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
        }
        return HexFormat.of().formatHex(bytes);
    }

    private static void appendGroup(StringBuilder hex, String digits) {
        int bytes = BYTES_OF_DIGITS[digits.length()];
        if (bytes > 0) {
            hex.append(("%0" + 2 * bytes + "x").formatted(Integer.parseInt(digits)));
        }
    }
}
