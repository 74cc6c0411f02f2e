/**
 * What an operator can ask and command while the server runs. It does not know by which protocol.
 */
@NullMarked
package io.sluice.server.control;

import org.jspecify.annotations.NullMarked;
