/** How long versions of configurations and the audit log are kept. It depends on the database and the audit log only. */
@NullMarked
package io.sluice.admin.retention;

import org.jspecify.annotations.NullMarked;
