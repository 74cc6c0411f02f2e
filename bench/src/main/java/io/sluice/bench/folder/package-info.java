/** The folders that a bench reads from and writes to. Depends on nothing else of the benches. */
@NullMarked
package io.sluice.bench.folder;

import org.jspecify.annotations.NullMarked;
