/**
 * How a replica requests a binlog: where it starts, as file and position or by GTID, and the commands for that. It does not know
 * connections, nor the stream that follows.
 */
@NullMarked
package io.sluice.mysql.wire.dump;

import org.jspecify.annotations.NullMarked;
