/** Small texts that are kept over crashes, each replaced as a whole. */
@NullMarked
package io.sluice.store.text;

import org.jspecify.annotations.NullMarked;
