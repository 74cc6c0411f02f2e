package io.sluice.stream.differential;

/** When the statements of a run are read. */
enum ReadingMode {
    /** While they are executed, so that the source can be asked about tables. */
    LIVE,
    /** After the last one, when the source shows most tables in another way. */
    LATE
}
