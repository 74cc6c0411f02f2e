/** The database of the admin server: a SQLite file by default, or MySQL with the tables of canal-admin. */
@NullMarked
package io.sluice.admin.database;

import org.jspecify.annotations.NullMarked;
