package io.sluice.bench.latency;

/** A text in each row with the number of its transaction, which can be found in records of any format without parsing them. */
final class Stamp {
    private static final int DIGITS = 10;
    private static final byte FIRST = '#';
    private static final byte[] REST = {'t', 'x', '-'};
    private static final int LENGTH = 1 + REST.length + DIGITS;

    private Stamp() {}

    /** Receives the numbers of the stamps that were found. */
    @FunctionalInterface
    interface Finder {
        void found(long number);
    }

    /** The stamp of a number from 0 on. */
    static String of(long number) {
        String digits = Long.toString(number);
        return "#tx-" + "0".repeat(DIGITS - digits.length()) + digits;
    }

    /** Finds all stamps, in their order. */
    static void findAll(byte[] bytes, Finder finder) {
        int last = bytes.length - LENGTH;
        for (int at = 0; at <= last; at++) {
            if (bytes[at] == FIRST && isRest(bytes, at + 1)) {
                long number = number(bytes, at + 1 + REST.length);
                if (number >= 0) {
                    finder.found(number);
                    at += LENGTH - 1;
                }
            }
        }
    }

    private static boolean isRest(byte[] bytes, int at) {
        return bytes[at] == REST[0] && bytes[at + 1] == REST[1] && bytes[at + 2] == REST[2];
    }

    private static long number(byte[] bytes, int from) {
        long number = 0;
        for (int at = from; at < from + DIGITS; at++) {
            int digit = bytes[at] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
