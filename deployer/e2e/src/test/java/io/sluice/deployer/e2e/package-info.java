/**
 * The packaged server between a real MySQL and a real broker: what arrives is what the tables hold, whatever happens in
 * between.
 *
 * <p>Knows the server by its scripts, its files and its signals only.
 */
@NullMarked
package io.sluice.deployer.e2e;

import org.jspecify.annotations.NullMarked;
