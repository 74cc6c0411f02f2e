/**
 * MySQL's character sets: their collations' ids, and decoders that turn their bytes into UTF-8.
 *
 * <p>This room does not know tables or columns.
 */
@NullMarked
package io.sluice.mysql.charset;

import org.jspecify.annotations.NullMarked;
