/**
 * The texts that a configuration is read from: files of this machine, or those of an admin server. It does not know what the texts mean.
 */
@NullMarked
package io.sluice.server.config.origin;

import org.jspecify.annotations.NullMarked;
