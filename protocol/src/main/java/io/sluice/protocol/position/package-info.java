/** Positions in a binlog, cursors, and the JSON in which files and ZooKeeper hold them. It knows no file or network. */
@NullMarked
package io.sluice.protocol.position;

import org.jspecify.annotations.NullMarked;
