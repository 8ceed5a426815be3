/** Generators for organisations of the model, and for what people try in them. */
import fc from 'fast-check';
import type { RoleType } from '@drawbridge/contract/permissions';
import { allBundles, types, type OrganisationPlan } from './organisation.ts';
import { modelActions, riskyActions, type ModelAction, type ModelStep } from './steps.ts';

/**
 * A role of a type that permits at least this one thing, without which its holder can hardly try anything.
 */
const roleWith = (type: RoleType, bit: number) =>
  fc.nat(allBundles).map((mask) => ({ type, mask: mask | bit }));
const roleArbitrary = fc.record({ type: fc.constantFrom(...types), mask: fc.nat(allBundles) });
const mostlyFirst = fc.oneof({ weight: 1, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(7) });

export const planArbitrary: fc.Arbitrary<OrganisationPlan> = fc.record({
  people: fc.integer({ min: 2, max: 4 }),
  devices: fc.array(fc.nat(2), { minLength: 2, maxLength: 3 }),
  roles: fc.tuple(
    roleWith('team', 1),
    roleWith('group', 1),
    roleWith('agent', 2),
    roleArbitrary,
    roleArbitrary,
  ),
  grants: fc.array(fc.record({ role: fc.nat(4), to: mostlyFirst, on: fc.nat(2), ends: fc.boolean() }), {
    minLength: 3,
    maxLength: 9,
  }),
  departments: fc.tuple(fc.nat(15), fc.nat(15)),
});

/** Often one of the members is a server administrator. */
export const planWithOperator: fc.Arbitrary<OrganisationPlan> = fc
  .tuple(planArbitrary, fc.option(mostlyFirst))
  .map(([plan, operator]) => (operator === null ? plan : { ...plan, operator }));

/** Actions that can give permissions are tried more often than those that only remove them. */
const actionArbitrary = fc.constantFrom(...(Object.keys(modelActions) as ModelAction[]));
const riskyActionArbitrary = fc.constantFrom(...riskyActions, 'signs in with a provider' as const);

export const stepArbitrary: fc.Arbitrary<ModelStep> = fc.record({
  by: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 3, arbitrary: fc.nat(3) },
    { weight: 1, arbitrary: fc.constant('owner' as const) },
  ),
  does: fc.oneof(actionArbitrary, riskyActionArbitrary),
  a: fc.nat(7),
  b: fc.nat(allBundles),
  c: fc.nat(2),
});
