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

/**
 * `expand` only adds, so that servers that do not know the migration continue to work. `contract` removes what only they
 * need, once none of them is alive.
 */
export interface MigrationSteps {
  expand?: Migration;
  contract?: Migration;
}

/** A migration from before they had steps. No server that does not know it works after it. */
export interface WholeMigration {
  whole: Migration;
}
