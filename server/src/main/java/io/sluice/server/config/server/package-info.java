/**
 * What is configured for the server as a whole: {@code ServerConfig} has the ports, the alarms and the cluster, too.
 */
@NullMarked
package io.sluice.server.config.server;

import org.jspecify.annotations.NullMarked;
