/**
 * Messages as canal's flat JSON. It does not know how entries are split and sent.
 */
@NullMarked
package io.sluice.format.flat;

import org.jspecify.annotations.NullMarked;
