/**
 * Texts of a configuration that a client has sent to be checked or tried, and what was read of them.
 */
@NullMarked
package io.sluice.server.config.sent;

import org.jspecify.annotations.NullMarked;
