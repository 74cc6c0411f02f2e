package io.sluice.protocol.pattern;

/** A text that may be looked at so often only: an expression that goes back and forth on it for ever is cut off. */
final class BoundedText implements CharSequence {
    /** About a tenth of a second; thousands of plain expressions in one list need a hundredth of it. */
    private static final int MOST_LOOKS = 20_000_000;

    private final String text;
    private int looks;

    BoundedText(String text) {
        this.text = text;
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
        if (looks > MOST_LOOKS) {
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
