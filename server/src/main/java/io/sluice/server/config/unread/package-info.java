/**
 * Finds files that canal reads and that are not read here, although an operator may expect it. Nothing in them takes effect,
 * and the readers of settings are not known here.
 */
@NullMarked
package io.sluice.server.config.unread;

import org.jspecify.annotations.NullMarked;
