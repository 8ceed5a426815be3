/** The audit line of one request: written with its change, or at its end if it made none. */
import { toErrorBody, isFault, type Fault } from '@drawbridge/contract/faults';
import type { MaybePromise } from '@drawbridge/contract/async/maybe-promise';
import type { AuditLine } from '../../domain/audit.ts';
import { fold } from '../../domain/text.ts';
import type { ChangeInput, ChangeName } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';

/** A member in whose account the line is written. */
export interface AuditedMember {
  accountId: number;
  /** Null while nobody knows who it is. */
  memberId: number | null;
  email: string;
}

export interface AuditSubject {
  operation: string;
  /** True if the operation only reads: it then leaves a line only when it is refused. */
  reads: boolean;
  address: string;
  /** The input without its secret fields. */
  input(): object;
}

export function createRequestAudit(store: Store, subject: AuditSubject, caller: AuditedMember | undefined) {
  let members: readonly AuditedMember[] = caller ? [caller] : [];
  let hasChanged = false;

  const line = ({ accountId, memberId, email }: AuditedMember): AuditLine => ({
    accountId,
    memberId,
    email: fold(email),
    address: subject.address,
    operation: subject.operation,
    input: JSON.stringify(subject.input()),
  });

  const append = async (outcome: string): Promise<void> => {
    for (const each of members)
      await store.change('audit/append', { accountId: each.accountId, outcome }, line(each));
  };

  return {
    /** Names the members that an unauthenticated request concerns. */
    identify: (...known: readonly AuditedMember[]): void => void (members = known),

    change<Name extends ChangeName>(name: Name, input: ChangeInput<Name>) {
      if (hasChanged) throw new Error(`${subject.operation} changes the store twice in one request`);
      const [first] = members;
      if (!first) throw new Error(`${subject.operation} changes the store for nobody`);
      hasChanged = true;
      return store.change(name, input, line(first));
    },

    /** Refusals and changes outside the store leave a line too; successful reads do not. */
    close(result: object | Fault): MaybePromise<void> {
      if (hasChanged || (subject.reads && !isFault(result))) return undefined;
      return append(isFault(result) ? toErrorBody(result).code : 'done');
    },
  };
}
