/** Who changed what. */
@NullMarked
package io.sluice.admin.audit;

import org.jspecify.annotations.NullMarked;
