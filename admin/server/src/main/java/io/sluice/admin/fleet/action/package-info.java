/**
 * What servers are asked to do: the requests to the right ones of them, in order and recorded, and what became of them, in sentences. It does
 * not know the controllers of the API.
 */
@NullMarked
package io.sluice.admin.fleet.action;

import org.jspecify.annotations.NullMarked;
