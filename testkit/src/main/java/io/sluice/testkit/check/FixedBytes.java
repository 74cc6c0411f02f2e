package io.sluice.testkit.check;

/** Which zero bytes at the end of {@code BINARY(n)} values are delivered. */
public enum FixedBytes {
    /** None, as in the binlog: a server strips all of them, and nothing else. */
    STRIPPED {
        @Override
        public String of(ValueKind kind, String value) {
            return kind == ValueKind.FIXED_BYTES ? withoutZerosAtEnd(value) : value;
        }
    },
    /** All, so that a value has its n bytes. */
    EXACT {
        @Override
        public String of(ValueKind kind, String value) {
            return value;
        }
    };

    /** The text that has to be delivered for a value that a table holds. */
    public abstract String of(ValueKind kind, String value);

    private static String withoutZerosAtEnd(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == 0) {
            end--;
        }
        return text.substring(0, end);
    }
}
