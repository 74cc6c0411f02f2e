package io.sluice.server.reload;

/** Why the configuration is read. */
enum ReloadCause {
    /** A command: what cannot be changed now remains to be done until the next one. */
    COMMAND,

    /** Automatic scanning: what cannot be changed now is found by a later look. */
    SCAN
}
