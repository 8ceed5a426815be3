/** How organisations of the model, and what people try in them, are drawn. */
import fc from 'fast-check';
import type { RoleType } from '@drawbridge/contract/permissions';
import { anyBundles, types, type Plan } from './organisation.ts';
import { deeds, risky, type Deed, type Step } from './steps.ts';

/** A role of a type that permits at least the one thing, without which its holder can hardly try anything. */
const roleWith = (type: RoleType, bit: number) =>
  fc.nat(anyBundles).map((mask) => ({ type, mask: mask | bit }));
const anyRole = fc.record({ type: fc.constantFrom(...types), mask: fc.nat(anyBundles) });
const mostlyFirst = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(5) });

export const plans: fc.Arbitrary<Plan> = fc.record({
  people: fc.integer({ min: 2, max: 4 }),
  devices: fc.array(fc.nat(2), { minLength: 2, maxLength: 3 }),
  roles: fc.tuple(roleWith('team', 1), roleWith('group', 1), roleWith('agent', 2), anyRole, anyRole),
  grants: fc.array(fc.record({ role: fc.nat(4), to: mostlyFirst, on: fc.nat(2) }), {
    minLength: 3,
    maxLength: 9,
  }),
  departments: fc.tuple(fc.nat(15), fc.nat(15)),
});

/** What can give rights is tried more often than what only takes them. */
const anyDeed = fc.constantFrom(...(Object.keys(deeds) as Deed[]));
const riskyDeed = fc.constantFrom(...risky);

export const steps: fc.Arbitrary<Step> = fc.record({
  by: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.constant('owner' as const) },
  ),
  does: fc.oneof(anyDeed, riskyDeed),
  a: fc.nat(7),
  b: fc.nat(anyBundles),
  c: fc.nat(2),
});
