/** Where a binlog is read from: positions, times and GTIDs are found in its files, and a start is chosen and checked. */
@NullMarked
package io.sluice.stream.source.search;

import org.jspecify.annotations.NullMarked;
