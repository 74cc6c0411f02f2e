/**
 * How an account's password is proved or sent: the authentication plugins, and the rules for the forms in which a password may
 * be sent. It does not know packets or the rounds of a login.
 */
@NullMarked
package io.sluice.mysql.wire.auth;

import org.jspecify.annotations.NullMarked;
