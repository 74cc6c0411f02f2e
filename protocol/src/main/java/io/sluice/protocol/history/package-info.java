/** How canal's tables of schema history hold what does not fit into one column. It knows no database. */
@NullMarked
package io.sluice.protocol.history;

import org.jspecify.annotations.NullMarked;
