/**
 * Passwords in the configuration: how an encrypted one is decrypted, and which stored ones are publicly known. It keeps none.
 */
@NullMarked
package io.sluice.server.config.password;

import org.jspecify.annotations.NullMarked;
