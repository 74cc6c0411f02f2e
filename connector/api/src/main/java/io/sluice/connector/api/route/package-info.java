/** Determines which topic and partition a table's entries go to, and explains why. It does not know what is in them, nor the broker. */
@NullMarked
package io.sluice.connector.api.route;

import org.jspecify.annotations.NullMarked;
