/** What a migration is given and returns. */

/** The words in which the two databases differ when tables are made. */
export interface SchemaDialect {
  /** A generated integer key that is never given out twice. */
  key: string;
  int: string;
  /** A column that refers to another table. */
  reference(target: string, onDelete: 'cascade' | 'set null'): string;
  /** Statements that let a connection see the rows of its own account only; none where the database can not. */
  accountRowSecurity(table: string): string[];
  /** Statements that hide a table of the server itself from every connection that is bound to an account. */
  serverRowSecurity(table: string): string[];
}

export type Migration = (dialect: SchemaDialect) => string[];
