package io.sluice.format.message;

/**
 * A format of messages, which a user chooses by its name. Formats are found by {@link java.util.ServiceLoader}; an implementation has a
 * public constructor without parameters, no state, and may be used by several threads.
 */
public interface MessageFormat {
    /** The content of one message. */
    enum Unit {
        /** As many entries as fit, as a protobuf packet. */
        PACKET,
        /** One entry, or those of its rows that go to one partition. */
        ENTRY,
        /** One row, or an entry without rows. */
        ROW
    }

    /** The name in configurations: lower case, not empty, unique. */
    String name();

    /** What one message of this format holds. It decides how entries are divided among messages, and does not change. */
    Unit unit();

    /** Whether the texts of statements become messages. */
    default boolean hasStatements() {
        return true;
    }

    /** Whether decimals are to have the digits that MySQL shows, and JSON documents all bytes of the binary values in them, whatever is configured. */
    default boolean hasExactValues() {
        return false;
    }

    /** A new encoder, for the use of one thread at a time. */
    MessageEncoder newEncoder();
}
