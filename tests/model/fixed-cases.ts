/**
 * Cases that every search covers, whatever its seed: each action by a member who holds everything, and by one
 * who holds little.
 */
import type { OrganisationPlan } from './organisation.ts';
import { modelActions, type ModelAction, type ModelStep } from './steps.ts';

/** The first member holds every permission, on every device and group, and nobody else holds any. */
const fullRightsPlan: OrganisationPlan = {
  people: 3,
  devices: [0, 1, 2],
  roles: [
    { type: 'team', mask: 15 },
    { type: 'group', mask: 15 },
    { type: 'agent', mask: 15 },
    { type: 'quick_support', mask: 15 },
  ],
  grants: [
    { role: 1, to: 0, on: 0 },
    { role: 1, to: 0, on: 1 },
    { role: 2, to: 0, on: 0 },
    { role: 2, to: 0, on: 1 },
    { role: 2, to: 0, on: 2 },
    { role: 3, to: 0, on: 0 },
    { role: 0, to: 3, on: 0 },
  ],
  departments: [0, 0],
};

/**
 * The first member may manage members, and settings and removal of devices; more only on the second group,
 * and by the second department on the first device. The second member, the first department and the
 * imported one hold every permission of the team.
 */
const fewRightsPlan: OrganisationPlan = {
  people: 3,
  devices: [0, 1, 0],
  roles: [
    { type: 'team', mask: 1 },
    { type: 'group', mask: 3 },
    { type: 'agent', mask: 7 },
    { type: 'team', mask: 15 },
    { type: 'group', mask: 7 },
  ],
  grants: [
    { role: 1, to: 0, on: 0 },
    { role: 4, to: 0, on: 1 },
    { role: 2, to: 4, on: 0 },
    { role: 3, to: 1, on: 0 },
    { role: 3, to: 3, on: 0 },
    { role: 0, to: 4, on: 0 },
    { role: 3, to: 5, on: 0 },
  ],
  departments: [0, 1],
};

const numbers = [0, 1, 2, 3, 4].flatMap((a) =>
  [0, 1, 2, 15].flatMap((b) => [0, 1].map((c) => ({ a, b, c }))),
);

const stepsOf = (does: ModelAction): ModelStep[] => numbers.map((each) => ({ by: 0, does, ...each }));

type StepCase = [OrganisationPlan, ModelStep[]];

/** The second member sees the first device and asks for more, and the first member decides. */
const requestCases: StepCase[] = [0, 1, 2, 3].map((b) => [
  { ...fullRightsPlan, grants: [...fullRightsPlan.grants, { role: 2, to: 1, on: 0, ends: true }] },
  [
    { by: 1, does: 'asks for access', a: 2, b, c: 0 },
    { by: 1, does: 'approves a request', a: 0, b, c: 0 },
    { by: 0, does: 'approves a request', a: 0, b, c: 0 },
  ],
]);

const singleSteps: StepCase[] = (Object.keys(modelActions) as ModelAction[])
  .flatMap(stepsOf)
  .flatMap((step) => [fullRightsPlan, fewRightsPlan].map((plan): StepCase => [plan, [step]]));

/** An import by the first member that lets only the third one join. */
const importOfAnother: StepCase = [
  fewRightsPlan,
  [
    { by: 'owner', does: 'sets up a directory', a: 0, b: 4, c: 0 },
    { by: 0, does: 'imports a directory', a: 0, b: 0, c: 0 },
  ],
];

/** The first member widens a team role that only the third one holds. */
const roleOfAnother: StepCase = [
  {
    ...fewRightsPlan,
    roles: [...fewRightsPlan.roles, { type: 'team', mask: 1 }],
    grants: [...fewRightsPlan.grants, { role: 5, to: 2, on: 0 }],
  },
  [{ by: 0, does: 'edits a role', a: 5, b: 15, c: 0 }],
];

/** Somebody maps a group to the department that gives most, and the second member, who holds little, signs in with it and without. */
const groupCases: StepCase[] = (['owner', 0] as const).flatMap((by) =>
  [fullRightsPlan, { ...fewRightsPlan, grants: fewRightsPlan.grants.filter(({ to }) => to !== 1) }].map(
    (plan): StepCase => [
      plan,
      [
        { by, does: 'maps a group', a: 0, b: 0, c: 0 },
        { by: 2, does: 'signs in with a provider', a: 0, b: 1, c: 0 },
        { by: 0, does: 'signs in with a provider', a: 0, b: 1, c: 0 },
        { by: 2, does: 'signs in with a provider', a: 0, b: 0, c: 0 },
      ],
    ],
  ),
);

/** The first member lets the provider recognise others; the second, who holds nothing or everything in the team, signs in. */
const recognitionCases: StepCase[] = [fullRightsPlan, fewRightsPlan].flatMap((plan) =>
  [0, 1, 2, 3].map((b): StepCase => [
    plan,
    [
      { by: 0, does: 'sets up a provider', a: 0, b, c: 0 },
      { by: 1, does: 'signs in with a provider', a: 0, b, c: 0 },
    ],
  ]),
);

/** The first member disables the second one by SCIM, who then tries something, and enables them again. */
const disabledCase: StepCase = [
  fewRightsPlan,
  [
    { by: 0, does: 'provisions whether somebody is active', a: 0, b: 1, c: 0 },
    { by: 1, does: 'creates a role', a: 0, b: 0, c: 0 },
    { by: 1, does: 'provisions a member', a: 3, b: 1, c: 0 },
    { by: 0, does: 'provisions whether somebody is active', a: 0, b: 1, c: 1 },
    { by: 1, does: 'creates a role', a: 0, b: 0, c: 0 },
  ],
];

/** The second member, whom the provider recognised, is disabled by SCIM and cannot sign in any more. */
const disabledAfterSignIn: StepCase = [
  fullRightsPlan,
  [
    { by: 0, does: 'sets up a provider', a: 0, b: 0, c: 0 },
    { by: 1, does: 'signs in with a provider', a: 0, b: 0, c: 0 },
    { by: 0, does: 'provisions whether somebody is active', a: 0, b: 1, c: 0 },
  ],
];

/** The first member maps a group to a department that gives nothing yet; later it gives what they do not hold. */
const mappedTooEarly: StepCase = [
  fewRightsPlan,
  [
    { by: 0, does: 'maps a group', a: 3, b: 0, c: 0 },
    { by: 'owner', does: 'grants to a department', a: 3, b: 3, c: 0 },
    { by: 2, does: 'signs in with a provider', a: 0, b: 1, c: 0 },
  ],
];

/** SCIM brings people into a department that holds everything in the team, of which the first member holds little. */
const provisionedGroup: StepCase = [
  { ...fewRightsPlan, grants: [...fewRightsPlan.grants, { role: 3, to: 6, on: 0 }] },
  [
    { by: 0, does: 'provisions a member', a: 3, b: 2, c: 0 },
    { by: 0, does: 'provisions a member', a: 3, b: 0, c: 0 },
    { by: 'owner', does: 'provisions a member', a: 3, b: 2, c: 0 },
  ],
];

/** As a search takes them: one step each, then several. */
export const fixedStepCases: StepCase[] = [
  ...singleSteps,
  ...requestCases,
  importOfAnother,
  roleOfAnother,
  ...groupCases,
  ...recognitionCases,
  disabledCase,
  disabledAfterSignIn,
  mappedTooEarly,
  provisionedGroup,
];

const removal: ModelStep = { by: 'owner', does: 'removes a person', a: 0, b: 0, c: 0 };

/** Links of a member who holds everything: used directly, and after that member is removed. */
export const fixedLinkCases: [OrganisationPlan, ModelStep[], ModelStep[]][] = [
  [fullRightsPlan, [], []],
  [fullRightsPlan, [], [removal]],
];
