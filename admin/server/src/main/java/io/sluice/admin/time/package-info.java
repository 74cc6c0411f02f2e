/** Time that does not jump, and work that is repeated. It depends on nothing else of the admin server. */
@NullMarked
package io.sluice.admin.time;

import org.jspecify.annotations.NullMarked;
