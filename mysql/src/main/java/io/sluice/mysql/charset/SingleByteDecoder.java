package io.sluice.mysql.charset;

import io.sluice.protocol.bytes.ByteWriter;

/** Decodes a single-byte character set by a table of the UTF-8 bytes of each character. */
final class SingleByteDecoder implements TextDecoder {
    private static final int LONGEST = 3;

    /** From so many bytes on they are counted before room is made for them. */
    private static final int LARGE = 1 << 16;

    /** For each byte its UTF-8 bytes, the first lowest, and above them their number. */
    private final int[] packed = new int[256];

    private final boolean asciiBelow;

    SingleByteDecoder(char[] characters) {
        ByteWriter utf8 = new ByteWriter(LONGEST);
        boolean ascii = true;
        for (int b = 0; b < packed.length; b++) {
            utf8.clear();
            Utf8.write(utf8, characters[b]);
            packed[b] = utf8.size() << 24;
            for (int i = 0; i < utf8.size(); i++) {
                packed[b] |= (utf8.array()[i] & 0xFF) << (8 * i);
            }
            ascii &= b >= 0x80 || characters[b] == b;
        }
        asciiBelow = ascii;
    }

    /** Each byte is the character of its number, as in ISO-8859-1. */
    static char[] bytesAsCharacters() {
        char[] characters = new char[256];
        for (int b = 0; b < characters.length; b++) {
            characters[b] = (char) b;
        }
        return characters;
    }

    /** Reads a line of the resource, without the name. */
    static char[] parse(String line) {
        String[] parts = line.split(" ");
        char[] characters = bytesAsCharacters();
        for (int b = 0x80; b < characters.length; b++) {
            int at = (b - 0x80) * 4;
            characters[b] = (char) Integer.parseInt(parts[0].substring(at, at + 4), 16);
        }
        for (int i = 1; i < parts.length; i++) {
            String[] exception = parts[i].split("=");
            characters[Integer.parseInt(exception[0], 16)] = (char) Integer.parseInt(exception[1], 16);
        }
        return characters;
    }

    @Override
    public void decode(byte[] source, int offset, int length, ByteWriter utf8Out) {
        int end = offset + length;
        int at = offset;
        if (asciiBelow) {
            int ascii = Utf8.asciiLength(source, offset, end);
            utf8Out.write(source, offset, ascii);
            at += ascii;
        }
        if (at == end) {
            return;
        }
        utf8Out.ensure(end - at < LARGE ? (end - at) * LONGEST + 1 : lengthOf(source, at, end));
        byte[] target = utf8Out.array();
        int size = utf8Out.size();
        for (; at < end; at++) {
            int bytes = packed[source[at] & 0xFF];
            target[size] = (byte) bytes;
            if (bytes >>> 24 > 1) {
                target[size + 1] = (byte) (bytes >> 8);
                target[size + 2] = (byte) (bytes >> 16);
            }
            size += bytes >>> 24;
        }
        utf8Out.setSize(size);
    }

    /** How many bytes the text has in UTF-8, with one more that is written and taken back. */
    private int lengthOf(byte[] source, int from, int end) {
        long length = 2;
        for (int at = from; at < end; at++) {
            length += packed[source[at] & 0xFF] >>> 24;
        }
        return (int) Math.min(length, Integer.MAX_VALUE);
    }

    @Override
    public boolean isUtf8() {
        return false;
    }
}
