/**
 * Asks an admin server for the texts of a configuration, by the contract of canal-admin, and keeps a copy of them. It does not know
 * what the texts mean.
 */
@NullMarked
package io.sluice.server.config.remote;

import org.jspecify.annotations.NullMarked;
