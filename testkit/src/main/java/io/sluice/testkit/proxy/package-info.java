/**
 * Stands between a client and a server, and spoils their connection.
 *
 * <p>Does not know what they say.
 */
@NullMarked
package io.sluice.testkit.proxy;

import org.jspecify.annotations.NullMarked;
