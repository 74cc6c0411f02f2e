package io.sluice.stream.differential;

/**
 * What the meaning of a statement depends on in its session.
 *
 * @param schema the default schema, null without one
 * @param ansiQuotes whether double quotes enclose identifiers
 * @param plainBackslashes whether a backslash in a string means itself
 */
record SessionState(Client client, String schema, boolean ansiQuotes, boolean plainBackslashes) {
    static final String FIRST_SCHEMA = "d1";
}
