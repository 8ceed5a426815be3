/** The line of one request in the audit log: written with its change, or when it ends without one. */
import { toErrorBody, isFault, type Fault } from '@drawbridge/contract/faults';
import type { AuditLine } from '../../domain/audit.ts';
import { fold } from '../../domain/text.ts';
import type { ChangeInput, ChangeName } from '../../store/changes.ts';
import type { Store } from '../../store/store.ts';

/** Somebody in whose log a line belongs. */
export interface AuditedMember {
  accountId: number;
  memberId: number;
  email: string;
}

export interface AuditSubject {
  operation: string;
  /** Whether it only reads: then it leaves a line only when it is refused. */
  reads: boolean;
  address: string;
  /** The input as it may be written down. */
  input(): object;
}

export function createRequestAudit(store: Store, subject: AuditSubject, caller: AuditedMember | undefined) {
  let people: readonly AuditedMember[] = caller ? [caller] : [];
  let taken = false;

  const line = ({ accountId, memberId, email }: AuditedMember): AuditLine => ({
    accountId,
    memberId,
    email: fold(email),
    address: subject.address,
    operation: subject.operation,
    input: JSON.stringify(subject.input()),
  });

  return {
    /** Says whose logs the request of somebody unknown belongs to. */
    identify: (...known: readonly AuditedMember[]): void => void (people = known),

    change<Name extends ChangeName>(name: Name, input: ChangeInput<Name>) {
      if (taken) throw new Error(`${subject.operation} changes the store twice in one request`);
      const [first] = people;
      if (!first) throw new Error(`${subject.operation} changes the store for nobody`);
      taken = true;
      return store.change(name, input, line(first));
    },

    /** Refusals and changes elsewhere leave a line too; a read that went well does not. */
    async close(result: object | Fault): Promise<void> {
      if (taken || (subject.reads && !isFault(result))) return;
      const outcome = isFault(result) ? toErrorBody(result).code : 'done';
      for (const each of people)
        await store.change('audit/append', { accountId: each.accountId, outcome }, line(each));
    },
  };
}
