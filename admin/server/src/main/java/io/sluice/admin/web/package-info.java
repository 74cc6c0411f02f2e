/** What all HTTP requests have in common: who may call, problems as answers, headers, limits, and the pages. */
@NullMarked
package io.sluice.admin.web;

import org.jspecify.annotations.NullMarked;
