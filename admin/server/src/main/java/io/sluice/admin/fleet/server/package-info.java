/** The servers that are managed: their rows in the database, and how the tokens of their control APIs are kept. */
@NullMarked
package io.sluice.admin.fleet.server;

import org.jspecify.annotations.NullMarked;
