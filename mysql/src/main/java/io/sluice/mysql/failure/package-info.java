/** Why a source cannot be read: the closed list of failures, each with its reaction and its remedy. It does not know how sources are read. */
@NullMarked
package io.sluice.mysql.failure;

import org.jspecify.annotations.NullMarked;
