/** The install command of the agent, and the systems for which the server offers the agent. */
import { useEffect } from 'preact/hooks';
import { PanelApiError } from '../../panel-api-error.ts';
import { useResource } from '../../resource.ts';
import { type Resource } from '../../resource-types.ts';

export interface Installation {
  /** Ends with the placeholder TOKEN; absent if the agent was not built on the server. */
  line?: string;
  /** The same for Windows; absent if the server has no agent for it. */
  windows_line?: string;
  files: readonly { os: string; arch: string }[];
}

const recheckIntervalMs = 10_000;

async function load(): Promise<Installation> {
  const response = await fetch('/download/install.json').catch(() => {
    throw new PanelApiError('unreachable', 0);
  });
  if (response.status === 404) return { files: [] };
  if (!response.ok) throw new PanelApiError('unknown', response.status);
  return (await response.json()) as Installation;
}

/** Polls while the agent is not built, because someone may be building it. */
export function useInstallation(): Resource<Installation> {
  const resource = useResource('installation', load);
  const isMissing = resource.value.value !== undefined && resource.value.value.line === undefined;
  useEffect(() => {
    if (!isMissing) return undefined;
    const timer = setInterval(() => void resource.reload(), recheckIntervalMs);
    return () => clearInterval(timer);
  }, [isMissing]);
  return resource;
}
