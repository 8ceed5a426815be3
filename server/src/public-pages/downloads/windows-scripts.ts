/** The PowerShell lines that install the agent on Windows or run it once for quick support, and the scripts that they download. */
import { curlPin } from '@drawbridge/contract/curl-pin';
import type { PinnedServer } from './install-script.ts';
import type { OfferedFiles } from '@drawbridge/contract/uplink/release';

/** curl.exe is part of Windows since 2018, and can compare the key of a server with its own certificate. */
const runScript = ({ publicUrl, keyPin }: PinnedServer, name: string, argument: string): string =>
  `& ([scriptblock]::Create((curl.exe -fsSL${curlPin(keyPin)} ${publicUrl}/download/${name} | Out-String))) ${argument}`;

export const windowsInstallCommand = (server: PinnedServer): string =>
  runScript(server, 'install.ps1', 'TOKEN');

export const windowsJoinCommand = (server: PinnedServer): string => runScript(server, 'join.ps1', 'CODE');

export const hasWindows = ({ files }: OfferedFiles): boolean => files.some(({ os }) => os === 'windows');

/** The names that Windows uses. */
const machines = { x64: 'AMD64', arm64: 'ARM64' } as const;

const fileCases = ({ files }: OfferedFiles): string =>
  files
    .filter(({ os }) => os === 'windows')
    .map(({ arch, name, sha256 }) => `    '${machines[arch]}' { $name = '${name}'; $sha256 = '${sha256}' }`)
    .join('\n');

/** Downloads into a new folder, compares the checksum and leaves the path of the program in $program. */
const downloadProgram = (release: OfferedFiles, { publicUrl, keyPin }: PinnedServer): string =>
  `  $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
  switch ($machine) {
${fileCases(release)}
    default { throw "This server has no agent for Windows on $machine." }
  }
  $folder = Join-Path ([IO.Path]::GetTempPath()) ([Guid]::NewGuid())
  New-Item -ItemType Directory $folder | Out-Null
  $program = Join-Path $folder 'drawbridge-agent.exe'
  Write-Host 'Downloading...'
  curl.exe -fsSL${curlPin(keyPin)} -o $program "${publicUrl}/download/$name"
  if ($LASTEXITCODE -ne 0) { throw "$name could not be downloaded from ${publicUrl}." }
  if ((Get-FileHash -Algorithm SHA256 $program).Hash -ne $sha256) { throw 'The checksum of the downloaded file is wrong.' }`;

const removeFolder = `  if ($folder) { Remove-Item -Recurse -Force $folder -ErrorAction SilentlyContinue }`;

/** Values put into the scripts cannot be misread by PowerShell: an origin, base64, hexadecimal digits and our own file names. */
export const windowsInstallScript = (release: OfferedFiles, server: PinnedServer): string =>
  `# Installs the Drawbridge agent: downloads it, compares its checksum and lets it install itself as a service.
param([string]$token)
$ErrorActionPreference = 'Stop'
try {
  $user = [Security.Principal.WindowsPrincipal][Security.Principal.WindowsIdentity]::GetCurrent()
  if (-not $user.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) {
    throw 'Administrator rights are required. Open PowerShell with "Run as administrator".'
  }
${downloadProgram(release, server)}
  # A device that is already enrolled needs no token: its agent is only updated.
  $join = if ($token) { @('--token', $token) } else { @() }
  & $program install --server '${server.publicUrl}' @join
} finally {
${removeFolder}
}
`;

export const windowsJoinScript = (release: OfferedFiles, server: PinnedServer): string =>
  `# Runs the Drawbridge agent once, to be helped: downloads it, compares its checksum, and removes it when it ends.
param([string]$code)
$ErrorActionPreference = 'Stop'
$before = $env:DRAWBRIDGE_AGENT_DATA
try {
  if ($code -notmatch '^[0-9]+$') { throw 'The code of nine digits is missing.' }
${downloadProgram(release, server)}
  $env:DRAWBRIDGE_AGENT_DATA = $folder
  & $program join $code --server '${server.publicUrl}'${server.keyPin && ` --fingerprint 'sha256//${server.keyPin}'`}
} finally {
  $env:DRAWBRIDGE_AGENT_DATA = $before
${removeFolder}
}
`;
