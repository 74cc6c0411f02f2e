/** A growing byte buffer, and how protobuf and JSON pieces are laid into it. It knows nothing of entries or columns. */
@NullMarked
package io.sluice.protocol.bytes;

import org.jspecify.annotations.NullMarked;
