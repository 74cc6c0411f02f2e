/** The types of columns as DDL spells them. It does not know tables. */
@NullMarked
package io.sluice.mysql.type;

import org.jspecify.annotations.NullMarked;
