package io.sluice.mysql.charset;

import java.util.Arrays;

/**
 * Checks for well-formed UTF-8 without a branch: a state is a bit offset in a {@code long}, and each byte has a {@code long} that holds, at
 * the offset of every state, the next state.
 *
 * <p>The second byte rules out overlong forms, surrogates and what is above U+10FFFF, as Unicode's table 3-7 has it.
 */
final class Utf8Automaton {
    /** The state between two characters, in which texts begin and end. */
    static final int BOUNDARY = 0;

    /** Six bits for each state, so that a state is itself the number of bits of the next shift. */
    private static final int STATE_BITS = 6;

    private static final int STATE_MASK = (1 << STATE_BITS) - 1;

    /** Not well-formed, whatever follows. */
    private static final int ERROR = STATE_BITS;

    private static final int ONE_MORE = 2 * STATE_BITS;
    private static final int TWO_MORE = 3 * STATE_BITS;
    private static final int THREE_MORE = 4 * STATE_BITS;
    private static final int AFTER_E0 = 5 * STATE_BITS;
    private static final int AFTER_ED = 6 * STATE_BITS;
    private static final int AFTER_F0 = 7 * STATE_BITS;
    private static final int AFTER_F4 = 8 * STATE_BITS;

    private static final long[] STEPS = new long[256];

    static {
        long errors = 0;
        for (int state = BOUNDARY; state <= AFTER_F4; state += STATE_BITS) {
            errors |= (long) ERROR << state;
        }
        Arrays.fill(STEPS, errors);
        lead(0x00, 0x7F, BOUNDARY);
        lead(0xC2, 0xDF, ONE_MORE);
        lead(0xE0, 0xE0, AFTER_E0);
        lead(0xE1, 0xEC, TWO_MORE);
        lead(0xED, 0xED, AFTER_ED);
        lead(0xEE, 0xEF, TWO_MORE);
        lead(0xF0, 0xF0, AFTER_F0);
        lead(0xF1, 0xF3, THREE_MORE);
        lead(0xF4, 0xF4, AFTER_F4);
        step(ONE_MORE, 0x80, 0xBF, BOUNDARY);
        step(TWO_MORE, 0x80, 0xBF, ONE_MORE);
        step(THREE_MORE, 0x80, 0xBF, TWO_MORE);
        step(AFTER_E0, 0xA0, 0xBF, ONE_MORE);
        step(AFTER_ED, 0x80, 0x9F, ONE_MORE);
        step(AFTER_F0, 0x90, 0xBF, TWO_MORE);
        step(AFTER_F4, 0x80, 0x8F, TWO_MORE);
    }

    private Utf8Automaton() {}

    private static void lead(int first, int last, int next) {
        step(BOUNDARY, first, last, next);
    }

    private static void step(int state, int first, int last, int next) {
        for (int octet = first; octet <= last; octet++) {
            STEPS[octet] ^= (long) (ERROR ^ next) << state;
        }
    }

    /** The state after eight more bytes, the first of them lowest. */
    static int after(int state, long eight) {
        long now = state; // shifts look at the lowest six bits alone
        now = STEPS[(int) eight & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 8) & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 16) & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 24) & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 32) & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 40) & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 48) & 0xFF] >>> now;
        now = STEPS[(int) (eight >>> 56) & 0xFF] >>> now;
        return (int) now & STATE_MASK;
    }
}
