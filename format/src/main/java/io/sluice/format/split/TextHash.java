package io.sluice.format.split;

/** {@link String#hashCode} of a text that is as UTF-8, without the string. */
final class TextHash {
    private TextHash() {}

    /**
     * The hash of the text in {@code utf8} from {@code from} to {@code to}, exclusive.
     *
     * @param utf8 well-formed, as the texts of values are; what ends within a character (a damaged JSON document may) counts
     *     as if U+FFFD ended it
     */
    static int of(byte[] utf8, int from, int to) {
        int hash = 0;
        int at = from;
        while (at < to) {
            int first = utf8[at++];
            if (first >= 0) {
                hash = 31 * hash + first;
            } else if (to - at < moreBytes(first)) {
                return 31 * hash + 0xFFFD;
            } else if (first < (byte) 0xE0) { // two bytes
                hash = 31 * hash + ((first & 0x1F) << 6 | utf8[at++] & 0x3F);
            } else if (first < (byte) 0xF0) {
                hash = 31 * hash + ((first & 0x0F) << 12 | (utf8[at++] & 0x3F) << 6 | utf8[at++] & 0x3F);
            } else {
                int point =
                        (first & 0x07) << 18 | (utf8[at++] & 0x3F) << 12 | (utf8[at++] & 0x3F) << 6 | utf8[at++] & 0x3F;
                hash = 31 * (31 * hash + Character.highSurrogate(point)) + Character.lowSurrogate(point);
            }
        }
        return hash;
    }

    private static int moreBytes(int first) {
        return first < (byte) 0xE0 ? 1 : first < (byte) 0xF0 ? 2 : 3;
    }
}
