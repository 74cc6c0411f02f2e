/** The calls by which canal and Sluice servers ask for their configuration, in canal's words. */
@NullMarked
package io.sluice.admin.canal.polling;

import org.jspecify.annotations.NullMarked;
