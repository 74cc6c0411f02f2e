/** The expressions for names of tables and topics that canal's configuration knows. It does not know what they choose. */
@NullMarked
package io.sluice.protocol.pattern;

import org.jspecify.annotations.NullMarked;
