package io.sluice.server.api;

import io.sluice.server.config.ControlRole;

/**
 * Who calls the API.
 *
 * @param name of the token, or of the client's certificate
 * @param remote the address it calls from
 */
record Caller(String name, ControlRole role, String remote) {}
