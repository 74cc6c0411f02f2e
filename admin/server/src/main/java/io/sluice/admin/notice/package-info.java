/** Notifies the other packages, and through them open pages, that something was changed. */
@NullMarked
package io.sluice.admin.notice;

import org.jspecify.annotations.NullMarked;
