/** Why a source cannot be read: the closed list of failures, each with its reaction and its remedy. It does not know how sources are read. */
@NullMarked
package io.sluice.parse.failure;

import org.jspecify.annotations.NullMarked;
