/**
 * What is configured for a server and its instances, as records; options of other modules are in the records of these modules. It does
 * not know keys or files.
 */
@NullMarked
package io.sluice.server.config;

import org.jspecify.annotations.NullMarked;
