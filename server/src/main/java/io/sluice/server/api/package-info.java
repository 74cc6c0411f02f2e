/**
 * The control API: what an operator can ask and command by HTTP and JSON. It does not know how instances are run, only
 * {@link io.sluice.server.control.Operations}.
 */
@NullMarked
package io.sluice.server.api;

import org.jspecify.annotations.NullMarked;
