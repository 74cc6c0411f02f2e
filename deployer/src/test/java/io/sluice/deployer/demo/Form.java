package io.sluice.deployer.demo;

/** In which form messages leave the server, and how they are shown. */
enum Form {
    /** Flat messages, a short line per row. */
    LINES,
    /** Flat messages as they are. */
    JSON,
    /** Protobuf packets, a line per entry. */
    RAW
}
