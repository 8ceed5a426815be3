/** What a long fault reports: figures, each with its aim if it has one. */

export interface Figure {
  name: string;
  value: string;
  aim?: string;
  /** Absent for a figure without an aim. */
  reached?: boolean;
}

interface ScenarioOptions {
  devices: number;
}

export type Scenario = (options: ScenarioOptions) => Promise<Figure[]>;

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

export const atMost = (name: string, ms: number, limitMs: number): Figure => ({
  name,
  value: seconds(ms),
  aim: `≤ ${seconds(limitMs)}`,
  reached: ms <= limitMs,
});

export const exactly = (name: string, value: number, aim: number): Figure => ({
  name,
  value: String(value),
  aim: String(aim),
  reached: value === aim,
});
