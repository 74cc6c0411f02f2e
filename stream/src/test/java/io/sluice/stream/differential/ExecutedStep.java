package io.sluice.stream.differential;

/**
 * A step, and the state of the server around it.
 *
 * @param mark the number of the mark that follows it in the binlog
 * @param step with the statements that the server accepted
 */
record ExecutedStep(int mark, Step step, ServerSnapshot before, ServerSnapshot after) {}
