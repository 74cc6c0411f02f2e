/**
 * Messages as canal's protobuf. It does not know how entries are split, packed and sent.
 */
@NullMarked
package io.sluice.format.protobuf;

import org.jspecify.annotations.NullMarked;
