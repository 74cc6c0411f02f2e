package io.sluice.testkit.mysql;

/**
 * Where a server will write its next event.
 *
 * @param gtidSet the transactions executed so far, without blanks; empty without GTIDs; of MariaDB the last of
 *     each domain
 */
public record BinlogEnd(String file, long offset, String gtidSet) {}
