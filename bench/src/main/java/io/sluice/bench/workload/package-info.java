/**
 * The changes that benches read: what tables there are, what happens to them, and the binlog that a real MySQL writes of it.
 *
 * <p>Does not know who reads the binlog, nor what comes of it.
 */
@NullMarked
package io.sluice.bench.workload;

import org.jspecify.annotations.NullMarked;
