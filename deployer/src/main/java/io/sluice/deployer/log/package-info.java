/**
 * How lines of the log are written, as {@code conf/logback.xml} asks for it. It depends on logback, and of
 * Sluice on {@code protocol.text} only: the log works before anything else does.
 */
@NullMarked
package io.sluice.deployer.log;

import org.jspecify.annotations.NullMarked;
