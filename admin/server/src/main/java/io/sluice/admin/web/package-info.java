/** What all HTTP requests have in common: authorization, problems as answers, headers, limits, and the pages. */
@NullMarked
package io.sluice.admin.web;

import org.jspecify.annotations.NullMarked;
