/**
 * The findings of trying what an instance needs before it is started. It does not know what is tried; nothing that is tried changes
 * anything on a server.
 */
@NullMarked
package io.sluice.connector.api.probe;

import org.jspecify.annotations.NullMarked;
