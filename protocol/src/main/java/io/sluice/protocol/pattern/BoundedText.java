package io.sluice.protocol.pattern;

/** A text that may be looked at so often only: an expression that goes back and forth on it for ever is cut off. */
final class BoundedText implements CharSequence {
    private final String text;
    private final int limit;
    private int looks;

    /**
     * Makes one.
     *
     * @param limit how often a character may be looked at
     */
    BoundedText(String text, int limit) {
        this.text = text;
        this.limit = limit;
    }

    /** How often a character was looked at. */
    int looks() {
        return looks;
    }

    /** The text was looked at too often. */
    static final class ExhaustedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        looks++;
        if (looks > limit) {
            throw new ExhaustedException();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.subSequence(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
