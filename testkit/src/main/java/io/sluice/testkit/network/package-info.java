/** The network between servers and clients, for tests that cut it. It does not know what travels. */
@NullMarked
package io.sluice.testkit.network;

import org.jspecify.annotations.NullMarked;
