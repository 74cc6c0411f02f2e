/**
 * The management port, which canal's consoles use: canal's admin protocol over Netty, on top of what an operator can ask and command. It
 * does not know how instances are made, nor what they do.
 */
@NullMarked
package io.sluice.server.admin;

import org.jspecify.annotations.NullMarked;
