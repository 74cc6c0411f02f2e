/** Users, their roles, passwords and sessions. Knows nothing of servers and configurations. */
@NullMarked
package io.sluice.admin.account;

import org.jspecify.annotations.NullMarked;
