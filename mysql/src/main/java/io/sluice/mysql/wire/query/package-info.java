/** Text queries: how the answer to one is read, and its rows. It does not know connections. */
@NullMarked
package io.sluice.mysql.wire.query;

import org.jspecify.annotations.NullMarked;
