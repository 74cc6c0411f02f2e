/** The client of canal's management protocol, by which servers are managed that have no control API. */
@NullMarked
package io.sluice.admin.canal;

import org.jspecify.annotations.NullMarked;
