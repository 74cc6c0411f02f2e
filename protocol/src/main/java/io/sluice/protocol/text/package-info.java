/** Makes texts from outside fit to be shown. It does not know what they are about. */
@NullMarked
package io.sluice.protocol.text;

import org.jspecify.annotations.NullMarked;
