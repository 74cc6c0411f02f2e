package io.sluice.server.config.text;

/** What sort of text a value is, for programs that offer a field to edit it. */
public enum ValueKind {
    /** Any text, or one with a form of its own. */
    TEXT,
    /** A text that must not be shown. */
    SECRET,
    BOOLEAN,
    /** A whole number. */
    INTEGER,
    /** The value is one of some words. */
    CHOICE,
    /** Several values, separated by commas. */
    LIST
}
