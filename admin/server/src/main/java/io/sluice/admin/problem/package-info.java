/**
 * The answer or report in place of a result: the problem of a request, of a configuration, or of a start. Of HTTP it knows the status only;
 * {@code web} writes problems. Depends on nothing else of the admin server.
 */
@NullMarked
package io.sluice.admin.problem;

import org.jspecify.annotations.NullMarked;
