package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;

/**
 * Decodes an East Asian character set by tables that are filled once, from Java's decoder and MySQL's differences. In all of
 * them a byte below 80 that begins a character is ASCII.
 *
 * <p>A table holds 0 where there is no character.
 */
final class MultiByteDecoder implements TextDecoder {
    /** The third-byte prefix of Japanese EUC. */
    private static final int SINGLE_SHIFT_3 = 0x8F;

    /** The rows F5 to FE, of 94 codes each, are for private use in both planes of Japanese EUC. */
    private static final int FIRST_PRIVATE_ROW = 0xF5;

    private static final int FIRST_OF_ROW = 0xA1;
    private static final int CODES_A_ROW = 94;
    private static final int PRIVATE_ROWS = 10;
    private static final int FIRST_PRIVATE = 0xE000;

    /** GB 18030's four-byte codes, counted from 81308130: those of the BMP, then a gap, then the other planes. */
    private static final int FOUR_BYTE_BMP = 39420;

    private static final int FOUR_BYTE_PLANES = 189000;

    private final MultiByteCharset charset;
    private final char[] single = new char[256];
    private final char[] pairs = new char[0x8000];
    private final char[] shifted;
    private final char[] fours;

    MultiByteDecoder(MultiByteCharset charset) {
        this.charset = charset;
        shifted = new char[charset.isEuc() ? 0x8000 : 0];
        fours = new char[charset == MultiByteCharset.GB18030 ? FOUR_BYTE_BMP : 0];
        fillFromJava();
        fillPrivateRows();
        for (String difference : charset.differences().split(" ")) {
            if (!difference.isEmpty()) {
                fillDifference(difference);
            }
        }
    }

    private void fillFromJava() {
        JavaCodes java = new JavaCodes(charset.javaName());
        for (int b = 0; b < single.length; b++) {
            single[b] = charset.isLead(b) ? 0 : java.character(b);
        }
        for (int code = 0; code < pairs.length; code++) {
            int lead = 0x80 | code >> 8;
            pairs[code] = charset.isLead(lead) ? java.character(lead, code & 0xFF) : 0;
        }
        for (int code = 0; code < shifted.length; code++) {
            shifted[code] = java.character(SINGLE_SHIFT_3, 0x80 | code >> 8, code & 0xFF);
        }
        for (int i = 0; i < fours.length; i++) {
            fours[i] = java.character(0x81 + i / 12600, 0x30 + i / 1260 % 10, 0x81 + i / 10 % 126, 0x30 + i % 10);
        }
    }

    private void fillPrivateRows() {
        if (!charset.isEuc()) {
            return;
        }
        for (int row = 0; row < PRIVATE_ROWS; row++) {
            for (int i = 0; i < CODES_A_ROW; i++) {
                int code = (FIRST_PRIVATE_ROW + row - 0x80) << 8 | FIRST_OF_ROW + i;
                int character = FIRST_PRIVATE + row * CODES_A_ROW + i;
                pairs[code] = (char) character;
                shifted[code] = (char) (character + PRIVATE_ROWS * CODES_A_ROW);
            }
        }
    }

    private void fillDifference(String difference) {
        String[] sides = difference.split("=");
        long code = Long.parseLong(sides[0], 16);
        char character = (char) Integer.parseInt(sides[1], 16);
        switch (sides[0].length()) {
            case 4 -> pairs[(int) code & 0x7FFF] = character;
            case 6 -> shifted[(int) code & 0x7FFF] = character;
            default ->
                fours[fourByteIndex((int) (code >> 24), (int) (code >> 16), (int) (code >> 8), (int) code)] = character;
        }
    }

    private static int fourByteIndex(int b1, int b2, int b3, int b4) {
        return (((b1 & 0xFF) - 0x81) * 10 + (b2 & 0xFF) - 0x30) * 1260 + ((b3 & 0xFF) - 0x81) * 10 + (b4 & 0xFF) - 0x30;
    }

    @Override
    public void decode(byte[] source, int offset, int length, ByteWriter utf8Out) {
        int end = offset + length;
        int at = offset;
        while (at < end) {
            int ascii = Utf8.asciiLength(source, at, end);
            utf8Out.write(source, at, ascii);
            at += ascii;
            if (at < end) {
                at += decodeOne(source, at, end, utf8Out);
            }
        }
    }

    /** Decodes the character at {@code at}, and returns its length in bytes. */
    private int decodeOne(byte[] source, int at, int end, ByteWriter out) {
        int lead = source[at] & 0xFF;
        if (!charset.isLead(lead)) {
            return write(out, single[lead], 1);
        }
        if (end - at < 2) {
            return write(out, 0, 1);
        }
        int second = source[at + 1] & 0xFF;
        if (fours.length > 0 && second >= 0x30 && second <= 0x39) {
            return decodeFour(source, at, end, out);
        }
        if (shifted.length > 0 && lead == SINGLE_SHIFT_3) {
            if (end - at < 3 || second < 0x80) {
                return write(out, 0, 1);
            }
            return write(out, shifted[(second & 0x7F) << 8 | (source[at + 2] & 0xFF)], 3);
        }
        char character = pairs[(lead & 0x7F) << 8 | second];
        boolean isPair = character != 0 || second >= 0x80 || charset.isCode(lead, second);
        return write(out, character, isPair ? 2 : 1);
    }

    private int decodeFour(byte[] source, int at, int end, ByteWriter out) {
        if (end - at < 4) {
            return write(out, 0, 1);
        }
        int third = source[at + 2] & 0xFF;
        int fourth = source[at + 3] & 0xFF;
        if (third < 0x81 || third > 0xFE || fourth < 0x30 || fourth > 0x39) {
            return write(out, 0, 1);
        }
        int index = fourByteIndex(source[at], source[at + 1], third, fourth);
        int codePoint = 0;
        if (index < fours.length) {
            codePoint = fours[index];
        } else if (index >= FOUR_BYTE_PLANES) {
            codePoint = Character.MIN_SUPPLEMENTARY_CODE_POINT + index - FOUR_BYTE_PLANES;
        }
        return write(out, Character.isValidCodePoint(codePoint) ? codePoint : 0, 4);
    }

    private static int write(ByteWriter out, int codePoint, int taken) {
        Utf8.write(out, codePoint == 0 ? Utf8.REPLACEMENT : codePoint);
        return taken;
    }

    @Override
    public boolean isUtf8() {
        return false;
    }

    /** Asks a Java decoder for one code at a time. */
    private static final class JavaCodes {
        private final CharsetDecoder decoder;
        private final CharBuffer characters = CharBuffer.allocate(4);

        JavaCodes(String name) {
            decoder = Charset.forName(name)
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT);
        }

        /** The character of a code; 0 if it is not exactly one of the BMP. */
        char character(int... code) {
            byte[] bytes = new byte[code.length];
            for (int i = 0; i < code.length; i++) {
                bytes[i] = (byte) code[i];
            }
            characters.clear();
            CoderResult result = decoder.reset().decode(ByteBuffer.wrap(bytes), characters, true);
            boolean one = result.isUnderflow() && characters.position() == 1;
            return one && characters.get(0) != Utf8.REPLACEMENT ? characters.get(0) : 0;
        }
    }
}
