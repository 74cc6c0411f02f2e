/** Keys and certificates for servers that speak TLS. */
@NullMarked
package io.sluice.testkit.tls;

import org.jspecify.annotations.NullMarked;
