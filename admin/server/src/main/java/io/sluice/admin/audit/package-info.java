/** The audit log: every change with user, address, values before and after. */
@NullMarked
package io.sluice.admin.audit;

import org.jspecify.annotations.NullMarked;
