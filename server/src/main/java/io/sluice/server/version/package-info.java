/**
 * Which build of Sluice this is: version, commit, Java. It depends on no other package, so that all may report it.
 */
@NullMarked
package io.sluice.server.version;

import org.jspecify.annotations.NullMarked;
