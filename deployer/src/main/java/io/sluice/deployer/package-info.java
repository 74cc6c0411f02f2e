/**
 * Starts the packaged server: reads its configuration, loads the connectors from {@code plugin/}, and turns signals and
 * failures into a clean stop and an exit code. It does not know what an instance does.
 */
@NullMarked
package io.sluice.deployer;

import org.jspecify.annotations.NullMarked;
