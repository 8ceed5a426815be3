/** The input and output of a migration. */

/** The SQL in which the two databases differ when tables are created. */
export interface SchemaDialect {
  /** A generated integer key that is never assigned twice. */
  key: string;
  int: string;
  /** A column that refers to another table. */
  reference(target: string, onDelete: 'cascade' | 'set null'): string;
  /** Statements that limit a connection to the rows of its own account; none where the database cannot. */
  accountRowSecurity(table: string): string[];
  /** Statements that hide a table of the server from every connection that is bound to an account. */
  serverRowSecurity(table: string): string[];
}

export type Migration = (dialect: SchemaDialect) => string[];
