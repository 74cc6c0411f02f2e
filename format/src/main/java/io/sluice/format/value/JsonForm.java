package io.sluice.format.value;

/**
 * How values within JSON documents are written.
 *
 * @param exactDecimals whether a decimal keeps the digits that MySQL shows
 * @param exactBinary whether values of no JSON type, such as binary ones, are written with their type and in Base64, as MySQL shows them;
 *     otherwise as UTF-8, as canal does
 */
record JsonForm(boolean exactDecimals, boolean exactBinary) {
    /** In which nothing of a value is lost. */
    static final JsonForm EXACT = new JsonForm(true, true);

    /** The form of the options. */
    static JsonForm of(ValueOptions options) {
        return new JsonForm(options.exactDecimals(), options.exactJson());
    }
}
