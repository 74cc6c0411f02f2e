package io.sluice.format.value;

import io.sluice.mysql.charset.TextDecoder;
import io.sluice.mysql.charset.Utf8Text;

/** Texts whose character set is UTF-8, or a part of it; those that are not large are copied at once. */
final class Utf8Type extends TextType {
    Utf8Type(int prefixLength, int sqlType, TextDecoder decoder) {
        super(prefixLength, sqlType, decoder);
    }

    @Override
    public boolean isBounded() {
        return true;
    }

    @Override
    public int put(byte[] image, int at, int length, byte[] target, int to) {
        return Utf8Text.put(image, at + prefixLength(), at + length, target, to);
    }

    @Override
    public int putJson(byte[] image, int at, int length, byte[] target, int to) {
        return Utf8Text.putJson(image, at + prefixLength(), at + length, target, to);
    }
}
