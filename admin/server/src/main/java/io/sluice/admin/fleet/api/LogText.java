package io.sluice.admin.fleet.api;

import java.util.List;

/**
 * The end of a log.
 *
 * @param files others that can be asked for
 */
record LogText(List<String> lines, List<String> files) {}
