/** Tells the rest of the server, and through it open pages, that something was changed. */
@NullMarked
package io.sluice.admin.notice;

import org.jspecify.annotations.NullMarked;
