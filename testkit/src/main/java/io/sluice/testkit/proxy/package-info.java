/** TCP proxies that cut, freeze, delay or hold connections to a server. They know nothing of what the connections carry. */
@NullMarked
package io.sluice.testkit.proxy;

import org.jspecify.annotations.NullMarked;
