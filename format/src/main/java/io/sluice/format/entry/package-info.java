/**
 * The entries that a binlog becomes, and how each writes itself as protobuf and as flat JSON. It does not know who reads
 * them, nor how events were fetched.
 */
@NullMarked
package io.sluice.format.entry;

import org.jspecify.annotations.NullMarked;
