package io.sluice.stream.differential;

/** Shows values in reports. */
final class Shown {
    private static final int MAX_CHARACTERS = 120;

    private Shown() {}

    /** The text in quotation marks, control characters and bytes as hexadecimal numbers. */
    static String of(String text) {
        StringBuilder shown = new StringBuilder("«");
        text.codePoints().limit(MAX_CHARACTERS).forEach(c -> {
            if (c < ' ' || c >= 0x7f && c <= 0xff) {
                shown.append("\\x%02x".formatted(c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        if (text.length() > MAX_CHARACTERS) {
            shown.append("…").append(text.length()).append('#').append(text.hashCode());
        }
        return shown.append('»').toString();
    }
}
