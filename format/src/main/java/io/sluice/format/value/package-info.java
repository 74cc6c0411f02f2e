/**
 * Column values: from the bytes of a row image straight to the text that leaves. It does not know what the text goes
 * into, nor where the row came from.
 */
@NullMarked
package io.sluice.format.value;

import org.jspecify.annotations.NullMarked;
