package io.sluice.protocol.pattern;

/** A syntax error in a configuration value; the message has the reason, and the text with a mark below the error. */
public final class MarkedSyntaxException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /** How much of a long text is shown on either side of the error. */
    private static final int SHOWN = 60;

    private final int index;
    private final String what;

    /**
     * Makes one.
     *
     * @param text the whole text
     * @param index where in it something is wrong, from 0; may be its length
     * @param what what is wrong there
     */
    public MarkedSyntaxException(String text, int index, String what) {
        super(what + ", at column " + (index + 1) + ":\n" + marked(text, index));
        this.index = index;
        this.what = what;
    }

    private static String marked(String text, int index) {
        int from = Math.max(0, index - SHOWN);
        int to = Math.min(text.length(), index + SHOWN);
        String before = from > 0 ? "..." : "";
        String after = to < text.length() ? "..." : "";
        return "      " + before + text.substring(from, to) + after + "\n      "
                + " ".repeat(before.length() + index - from) + "^";
    }

    /** Where in the text something is wrong, from 0. */
    public int index() {
        return index;
    }

    /** What is wrong there, without the text around it. */
    public String what() {
        return what;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
