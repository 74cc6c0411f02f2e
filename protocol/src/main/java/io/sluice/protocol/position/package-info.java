/** Where in a binlog something stands, and the JSON in which files and ZooKeeper keep it. It knows no file or network. */
@NullMarked
package io.sluice.protocol.position;

import org.jspecify.annotations.NullMarked;
