/**
 * The ports that are configured: where clients pull, the management port, the control API and metrics, with TLS and the roles of callers.
 */
@NullMarked
package io.sluice.server.config.port;

import org.jspecify.annotations.NullMarked;
