/**
 * The workloads of the benches: tables, statements, and binlogs that a real MySQL has recorded of them.
 *
 * <p>Must not depend on the benches that read the binlogs.
 */
@NullMarked
package io.sluice.bench.workload;

import org.jspecify.annotations.NullMarked;
