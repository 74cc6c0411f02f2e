/**
 * A live source: connecting, finding where to start, reading on after every break. It does not know what entries are made
 * of, nor what reads them.
 */
@NullMarked
package io.sluice.stream.source;

import org.jspecify.annotations.NullMarked;
