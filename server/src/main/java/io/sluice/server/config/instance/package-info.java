/**
 * What is configured for one instance, as records; options of other modules are in the records of these modules.
 */
@NullMarked
package io.sluice.server.config.instance;

import org.jspecify.annotations.NullMarked;
