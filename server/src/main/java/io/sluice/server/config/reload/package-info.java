/**
 * What a configuration is read again from, and what was read then. How texts are read is not known here.
 */
@NullMarked
package io.sluice.server.config.reload;

import org.jspecify.annotations.NullMarked;
